// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/ranks/ModuleClient.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace lbm {

namespace {

// Ends with null
std::vector<const char*> pointers(const std::vector<std::string>& texts)
{
    std::vector<const char*> result;
    for (const std::string& text : texts) result.push_back(text.c_str());
    result.push_back(nullptr);
    return result;
}

} // namespace

ModuleClient::ModuleClient(const std::string& file)
{
    // Global: Python's own modules look for its symbols among these
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) throw std::runtime_error(file + ": " + dlerror());
    using Entry = const lbmInsituModule* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(library, LBM_INSITU_ENTRY));
    if (!entry || entry()->version != LBM_INSITU_VERSION)
        throw std::runtime_error(file + " belongs to another version of lbmFoam");
    module_ = entry();
}

void ModuleClient::check(int status) const
{
    if (status != 0) throw std::runtime_error(module_->message());
}

void ModuleClient::initialize(const ModuleSetup& given)
{
    const auto scripts = pointers(given.scripts), arguments = pointers(given.arguments);
    const lbmInsituSetup setup{scripts.data(), arguments.data(), given.outputDirectory.c_str(),
                               given.live.empty() ? nullptr : given.live.c_str(), given.ranks};
    client_ = module_->initialize(&setup);
    check(client_ < 0);
}

void ModuleClient::publish(const std::string& channel, const lbmInsituMesh& mesh,
                           const std::vector<lbmInsituArray>& fields, const lbmInsituSource* source)
{
    check(module_->publish(client_, channel.c_str(), &mesh, fields.data(), int(fields.size()), source));
}

void ModuleClient::execute(std::int64_t step, double time, const std::vector<std::string>& parameters)
{
    check(module_->execute(client_, step, time, pointers(parameters).data()));
}

void ModuleClient::finalize() { check(module_->finalize(client_)); }

} // namespace lbm
