// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/PartWork.hpp"

#include <map>

namespace lbm {

namespace {

struct NamedWork {
    PartWork work;
    PartEffect effect;
};

// Of the process; libraries name theirs while they are loaded
std::map<std::string, NamedWork>& partWorks()
{
    static std::map<std::string, NamedWork> all;
    return all;
}

const NamedWork& namedWork(const std::string& name)
{
    const auto found = partWorks().find(name);
    if (found == partWorks().end()) throw std::invalid_argument("parts: no work is known as '" + name + "'");
    return found->second;
}

} // namespace

bool namePartWork(const std::string& name, PartWork work, PartEffect effect)
{
    partWorks()[name] = {work, effect};
    return true;
}

PartWork partWork(const std::string& name) { return namedWork(name).work; }

PartEffect partEffect(const std::string& name) { return namedWork(name).effect; }

std::vector<PartPlace> partPlaces(const Solver& solver)
{
    if (const auto* parted = dynamic_cast<const WorkedParts*>(&solver)) return parted->partPlaces();
    return {{{0, 0, 0}, solver.domain().size}};
}

std::vector<Message> workAtParts(Solver& solver, const std::string& name, const std::vector<Message>& told)
{
    if (auto* parted = dynamic_cast<WorkedParts*>(&solver)) return parted->work(name, told);
    Message its = told.at(0);
    return {partWork(name)(solver, its)};
}

} // namespace lbm
