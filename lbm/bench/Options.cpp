// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/Geometry.hpp"
#include "lbm/bench/Suites.hpp"
#include "lbm/api/Threads.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <sstream>

namespace lbm::bench {
namespace {

struct Option {
    std::string name, argument, help;       // no argument: a flag
    std::function<void(const std::string&)> read;
};

template<class T>
T number(const std::string& option, const std::string& text, T low, T high)
{
    T value{};
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !(value >= low && value <= high)) {
        std::ostringstream message;
        message << option << ": '" << text << "' is not a number from " << low << " to " << high;
        throw UsageError(message.str());
    }
    return value;
}

std::vector<std::string> words(const std::string& option, const std::string& text)
{
    std::vector<std::string> list;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');) {
        if (word.empty()) throw UsageError(option + ": empty word in '" + text + "'");
        list.push_back(word);
    }
    if (list.empty()) throw UsageError(option + ": no value given");
    return list;
}

int threadCount(const std::string& text)
{
    const int threads = number<int>("--threads", text, 1, std::numeric_limits<int>::max());
    try {
        checkThreads(threads, "--threads");
    } catch (const std::invalid_argument& fault) {
        throw UsageError(fault.what());
    }
    return threads;
}

std::vector<Option> table(Options& o)
{
    const auto list = [](const char* name, const char* help, std::vector<std::string>& target) {
        return Option{name, "NAME[,NAME...]", help,
            [name, &target](const std::string& text) { target = words(name, text); }};
    };
    const auto real = [](const char* name, const char* help, double& target, double low, double high) {
        return Option{name, "X", help,
            [=, &target](const std::string& text) { target = number<double>(name, text, low, high); }};
    };
    const auto integer = [](const char* name, const char* help, int& target, int low) {
        return Option{name, "N", help,
            [=, &target](const std::string& text) { target = number<int>(name, text, low, 1000000000); }};
    };
    const double huge = std::numeric_limits<double>::max();
    return {
        {"--help", "", "this text", [&](const std::string&) { o.help = true; }},
        {"--list", "", "the kernels of this build", [&](const std::string&) { o.list = true; }},
        {"--model", "", "what memory and traffic should be, of other methods too; measures nothing",
            [&](const std::string&) { o.model = true; }},
        {"--accuracy", "", "errors of the kernels in three flows of --size nodes a side instead of their speed",
            [&](const std::string&) { o.accuracy = true; }},
        {"--suite", "NAME", "the tables of a paper beside ours: " + suiteNames(), [&](const std::string& text) { o.suite = text; }},
        {"--only", "TEXT", "of a suite: cases whose table or name holds it", [&](const std::string& text) { o.only = text; }},
        real("--scale", "of a suite: factor for its sizes, but for chips", o.scale, 0.01, 100),
        {"--geometry", "WORD", geometryWords() + ", stl:FILE", [&](const std::string& text) { o.geometry = text; }},
        integer("--size", "nodes along the (longest) side, but for chips", o.size, 1),
        integer("--width", "chipA, chipB: nodes across the narrowest channel", o.width, 1),
        real("--porosity", "ras: share of fluid nodes", o.porosity, 0, 1),
        real("--diameter", "ras: diameter of the spheres in nodes", o.diameter, 1, huge),
        {"--seed", "N", "ras: which array", [&](const std::string& text) {
            o.seed = number<std::uint64_t>("--seed", text, 0, std::numeric_limits<std::uint64_t>::max()); }},
        list("--lattice", "D2Q9, D3Q15, D3Q19, D3Q27", o.lattice),
        list("--collision", "bgk, trt, mrt, regularized, recursiveRegularized", o.collision),
        list("--equilibrium", "incompressible, quasiCompressible", o.equilibrium),
        list("--storage", "propagation pattern: see --list", o.storage),
        list("--precision", "double, float", o.precision),
        list("--arithmetic", "simd, scalar; default: the device's fastest", o.arithmetic),
        list("--wall", "of walls at rest: halfway, interpolated", o.wall),
        list("--tile", "extents, e.g. 8x4x4; default: the first that --list shows", o.tile),
        {"--device", "NAME", "cpu, cuda, cuda:NUMBER, cuda:NAME", [&](const std::string& text) { o.device = text; }},
        {"--threads", "N[,N...]", "default: as OpenMP would", [&](const std::string& text) {
            o.threads.clear();
            for (const std::string& word : words("--threads", text))
                o.threads.push_back(threadCount(word)); }},
        real("--tau", "relaxation time, > 0.5", o.tau, 0.5, huge),
        integer("--steps", "steps a repeat; 0: as many as take a third of a second", o.steps, 0),
        integer("--repeats", "repeats, in turns over all rows", o.repeats, 1),
        {"--json", "FILE", "write the results there", [&](const std::string& text) { o.json = text; }}};
}

// What walls at rest are; interpolated as lbmFoam does by default.
LinkValue wallNamed(const std::string& name)
{
    LinkValue wall;
    wall.scheme = WallScheme::linear;
    if (name == "interpolated") wall.kind = BoundaryKind::interpolatedWall;
    else if (name != "halfway") throw UsageError("--wall: '" + name + "' is neither halfway nor interpolated");
    return wall;
}

bool isGiven(const Options& o, const char* name)
{
    return std::find(o.given.begin(), o.given.end(), name) != o.given.end();
}

void checkTogether(const Options& o)
{
    constexpr int fewest = 4;       // across a flow that has a shape
    if (o.accuracy && o.size < fewest)
        throw UsageError("--accuracy: --size " + std::to_string(o.size) + " is too few nodes for its flows, at least "
            + std::to_string(fewest));
    for (const char* name : {"--only", "--scale"})
        if (o.suite.empty() && isGiven(o, name)) throw UsageError(std::string(name) + " goes with --suite alone");
    for (const char* name : {"--geometry", "--size", "--width", "--porosity", "--diameter", "--seed", "--lattice", "--tile"})
        if (!o.suite.empty() && isGiven(o, name)) throw UsageError(std::string(name) + " is for a suite to choose");
}

} // namespace

Options parse(int argc, const char* const* argv)
{
    Options options;
    const std::vector<Option> known = table(options);
    for (int i = 1; i < argc; ++i) {
        std::string name = argv[i], value;
        const auto equals = name.find('=');
        const bool joined = equals != std::string::npos;
        if (joined) {
            value = name.substr(equals + 1);
            name.resize(equals);
        }
        const Option* found = nullptr;
        for (const Option& option : known)
            if (option.name == name) found = &option;
        if (!found) throw UsageError("unknown option " + name);
        if (found->argument.empty()) {
            if (joined) throw UsageError(name + " takes no value");
        } else if (!joined) {
            if (++i == argc) throw UsageError(name + ": value missing");
            value = argv[i];
        }
        found->read(value);
        options.given.push_back(name);
    }
    checkTogether(options);
    for (const std::string& wall : options.wall) wallNamed(wall);
    return options;
}

std::string usage()
{
    Options defaults;
    std::ostringstream text;
    text << "Usage: lbmBench [options]\n"
        "Million fluid-node updates per second (MLUPS) of lattice Boltzmann kernels, and the share of the\n"
        "memory bandwidth, measured in the same run, that they reach. Every combination of the listed\n"
        "values is one row; all rows are measured in turns.\n\n";
    for (const Option& option : table(defaults)) {
        std::string left = "  " + option.name + (option.argument.empty() ? "" : " " + option.argument);
        left.resize(std::max<std::size_t>(left.size() + 1, 32), ' ');
        text << left << option.help << '\n';
    }
    return text.str();
}

std::vector<Config> Options::configs() const
{
    std::vector<Config> all;
    const std::vector<int> counts = threads.empty() ? std::vector<int>{0} : threads;
    Config c;
    c.device = device;
    c.tau = tau;
    for (const auto& l : lattice) for (const auto& k : collision) for (const auto& e : equilibrium)
        for (const auto& s : storage) for (const auto& p : precision) for (const auto& a : arithmetic)
            for (const auto& t : tile) for (const auto& w : wall) for (int n : counts) {
                c.lattice = l;
                c.collision = k;
                c.equilibrium = e;
                c.storage = s;
                c.precision = p;
                c.arithmetic = a;
                c.tile = t;
                c.patches = {wallNamed(w)};
                c.threads = n;
                all.push_back(c);
            }
    return all;
}

} // namespace lbm::bench
