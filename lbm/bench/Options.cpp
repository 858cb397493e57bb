// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/Geometry.hpp"
#include "lbm/bench/Suites.hpp"
#include "lbm/model/Scaling.hpp"
#include "lbm/api/Ranks.hpp"
#include "lbm/api/Threads.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>

namespace lbm::bench {
namespace {

namespace po = boost::program_options;

template<class T>
T number(const std::string& option, const std::string& text, T low, T high)
{
    T value{};
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !(value >= low && value <= high)) {
        std::ostringstream message;
        message << "--" << option << ": '" << text << "' is not a number from " << low << " to " << high;
        throw UsageError(message.str());
    }
    return value;
}

std::vector<std::string> words(const std::string& option, const std::string& text)
{
    std::vector<std::string> list;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');) {
        if (word.empty()) throw UsageError("--" + option + ": empty word in '" + text + "'");
        list.push_back(word);
    }
    if (list.empty()) throw UsageError("--" + option + ": no value given");
    return list;
}

// Every closure, and what it is measured with.
std::string closureWords()
{
    std::ostringstream text;
    for (const ClosureDescriptor& closure : closureDescriptors) {
        text << (&closure == closureDescriptors ? "" : ", ") << closure.name;
        for (int i = 0; i < closure.coefficients; ++i)
            text << (i == 0 ? " (" : ", ") << closure.coefficient[i].name << ' ' << closure.coefficient[i].example;
        if (closure.coefficients > 0) text << ')';
    }
    return text.str();
}

void setClosure(Config& config, const std::string& name)
{
    const ClosureDescriptor* closure = findClosure(name);
    if (!closure) throw UsageError("--closure: '" + name + "' is none of " + closureWords());
    config.closure = name;
    for (int i = 0; i < closure->coefficients; ++i) config.coefficients[i] = closure->coefficient[i].example;
}

int threadCount(const std::string& text)
{
    const int threads = number<int>("threads", text, 1, std::numeric_limits<int>::max());
    try {
        checkThreads(threads, "--threads");
    } catch (const std::invalid_argument& fault) {
        throw UsageError(fault.what());
    }
    return threads;
}

// Every option; notify() hands each value to its place in `o`.
po::options_description table(Options& o)
{
    constexpr unsigned lineLength = 118, leastForHelp = 86;
    po::options_description all(lineLength, leastForHelp);
    const auto flag = [&](const char* name, const char* help, bool& target) {
        all.add_options()(name, po::bool_switch(&target), help);
    };
    const auto option = [&](const char* name, const char* argument, const std::string& help, auto read) {
        all.add_options()(name, po::value<std::string>()->value_name(argument)->notifier(read), help.c_str());
    };
    const auto text = [&](const char* name, const char* argument, const std::string& help, std::string& target) {
        option(name, argument, help, [&target](const std::string& value) { target = value; });
    };
    const auto list = [&](const char* name, const char* help, std::vector<std::string>& target) {
        option(name, "NAME[,NAME...]", help,
               [name, &target](const std::string& value) { target = words(name, value); });
    };
    const auto real = [&](const char* name, const char* help, double& target, double low, double high) {
        option(name, "X", help,
               [=, &target](const std::string& value) { target = number<double>(name, value, low, high); });
    };
    const auto integer = [&](const char* name, const char* help, int& target, int low) {
        option(name, "N", help,
               [=, &target](const std::string& value) { target = number<int>(name, value, low, 1000000000); });
    };
    const double huge = std::numeric_limits<double>::max();

    flag("help", "this text", o.help);
    flag("list", "the kernels of this build", o.list);
    flag("model", "what memory and traffic should be, of other methods too; measures nothing", o.model);
    flag("accuracy", "errors of the kernels in three flows of --size nodes a side instead of their speed", o.accuracy);
    flag("towers", "the towers of LRnLA instead of the kernels; default geometry: box", o.towers);
    flag("hetero", "of towers: devices and threads together, the box in the host's memory (NT = n = --fold)", o.hetero);
    text("suite", "NAME", "the tables of a paper beside ours: " + suiteNames(), o.suite);
    text("only", "TEXT", "of a suite: cases whose table or name holds it", o.only);
    real("scale", "of a suite: factor for its sizes, but for chips", o.scale, 0.01, 100);
    text("geometry", "WORD", geometryWords() + ", stl:FILE", o.geometry);
    integer("size", "nodes along the (longest) side, but for chips", o.size, 1);
    integer("length", "box: nodes along y; 0: as along the others", o.length, 0);
    integer("width", "chipA, chipB: nodes across the narrowest channel", o.width, 1);
    real("porosity", "ras: share of fluid nodes", o.porosity, 0, 1);
    real("diameter", "ras: diameter of the spheres in nodes", o.diameter, 1, huge);
    option("seed", "N", "ras: which array", [&o](const std::string& value) {
        o.seed = number<std::uint64_t>("seed", value, 0, std::numeric_limits<std::uint64_t>::max());
    });
    list("lattice", "D2Q9, D3Q15, D3Q19, D3Q27", o.lattice);
    list("collision", "bgk, trt, mrt, regularized, recursiveRegularized, hybridRegularized, cumulant, cumulantOnes",
         o.collision);
    list("closure", closureWords().c_str(), o.closure);
    list("equilibrium", "incompressible, quasiCompressible", o.equilibrium);
    list("storage", "propagation pattern: see --list", o.storage);
    list("precision", "double, float", o.precision);
    list("arithmetic", "simd, scalar; default: the device's fastest", o.arithmetic);
    list("wall", "of walls at rest: halfway, interpolated, slip (sides of the box)", o.wall);
    list("force", "uniform (none), byNode (with a closure other than constant)", o.force);
    list("tile", "extents, e.g. 8x4x4; default: the first that --list shows", o.tile);
    text("device", "NAME", "cpu, cuda, cuda:NUMBER, cuda:NAME; several: cuda:NUMBER,NUMBER..., cuda:all", o.device);
    text(
        "exchange", "WAY",
        "of ghosts among devices: peer, nccl (between ranks), mpi (by way of the host); default auto: the first that is possible",
        o.exchange);
    flag("share-devices", "--device may name one twice, which tests how ghosts get to another", o.sharedDevices);
    option("threads", "N[,N...]", "default: as OpenMP would", [&o](const std::string& value) {
        for (const std::string& word : words("threads", value)) o.threads.push_back(threadCount(word));
    });
    flag("blocks", "storages aa and moments on a CPU: boxes take several steps a pass", o.blocks);
    option("parts", "N[,N...]", "bricks that the domain is cut into; default: one a device",
           [&o](const std::string& value) {
               o.parts.clear();
               for (const std::string& word : words("parts", value))
                   o.parts.push_back(number<int>("parts", word, 1, 1000000));
           });
    flag(
        "ranks",
        "every process of mpirun has a share of each row's lattice, on a GPU of its own if the device is cuda, on several "
        "if --device names as many for each (cuda:all, cuda:0,1,2,3); default of --parts: one each",
        o.shared);
    option("link", "NAME[,NAME]",
           "of --model with --parts: within hosts and between them; " + model::connectionNames()
               + ", or GB/s:us; default nvlink,ndr",
           [&o](const std::string& value) {
               o.link = words("link", value);
               if (o.link.size() > 2)
                   throw UsageError("--link: within hosts and between them, not more: '" + value + "'");
               try {
                   for (const std::string& word : o.link) model::findConnection(word);
               } catch (const std::invalid_argument& fault) {
                   throw UsageError(std::string("--link: ") + fault.what());
               }
           });
    integer("per-host", "of --model with --parts: devices of a host", o.perHost, 1);
    real("rate", "of --model with --parts: MLUPS of one device; 0: by the model, an H200", o.rate, 0, huge);
    real("device-memory", "GB that a GPU gives; 0: what is free. What does not fit streams through it in slabs",
         o.deviceMemory, 0, huge);
    integer("slab-steps", "steps that a slab makes before it leaves; 0: by a model", o.slabSteps, 0);
    integer("slab-layers", "layers of tiles in a slab; 0: by a model", o.slabLayers, 0);
    const auto integers = [&](const char* name, const char* help, std::vector<int>& target) {
        option(name, "N[,N...]", help, [name, &target](const std::string& value) {
            target.clear();
            for (const std::string& word : words(name, value)) target.push_back(number<int>(name, word, 1, 1000000));
        });
    };
    integers("fold", "of towers: cells a side of those that a thread takes, a power of two", o.fold);
    integers("steps-at-once", "of towers: their height; default: as many as --fold", o.stepsAtOnce);
    real("tau", "relaxation time, > 0.5", o.tau, 0.5, huge);
    integer("steps", "steps a repeat; 0: as many as take a third of a second", o.steps, 0);
    integer("repeats", "repeats, in turns over all rows", o.repeats, 1);
    integer("read", "nodes a side of boxes that cover the domain: their means are read, too, once a repeat; 0: none",
            o.read, 0);
    text("json", "FILE", "write the results there", o.json);
    return all;
}

// What walls at rest are; interpolated as lbmFoam does by default.
LinkValue wallNamed(const std::string& name)
{
    LinkValue wall;
    wall.scheme = WallScheme::linear;
    if (name == "interpolated") wall.kind = BoundaryKind::interpolatedWall;
    else if (name == "slip") wall.kind = BoundaryKind::slip;
    else if (name != "halfway") throw UsageError("--wall: '" + name + "' is none of halfway, interpolated, slip");
    return wall;
}

// Do forces differ from node to node?
bool forceNamed(const std::string& name)
{
    if (name != "byNode" && name != "uniform")
        throw UsageError("--force: '" + name + "' is neither uniform nor byNode");
    return name == "byNode";
}

void checkTogether(const Options& o)
{
    constexpr int fewest = 4; // across a flow that has a shape
    if (o.accuracy && o.size < fewest)
        throw UsageError("--accuracy: --size " + std::to_string(o.size) + " is too few nodes for its flows, at least "
                         + std::to_string(fewest));
    if (o.length > 0 && o.geometry != "box") throw UsageError("--length goes with --geometry box alone");
    for (const char* name : {"--link", "--per-host", "--rate"})
        if (o.isGiven(name) && !(o.model && o.isGiven("--parts")))
            throw UsageError(std::string(name) + " goes with --model and --parts alone");
    for (const char* name : {"--only", "--scale"})
        if (o.suite.empty() && o.isGiven(name)) throw UsageError(std::string(name) + " goes with --suite alone");
    for (const char* name : {"--fold", "--steps-at-once"})
        if (!o.towers && o.suite != "seed004" && o.isGiven(name))
            throw UsageError(std::string(name) + " goes with --towers and --suite seed004 alone");
    if (o.hetero && (!o.towers || o.device == "cpu"))
        throw UsageError("--hetero goes with --towers and a --device other than cpu alone");
    if (o.hetero && o.isGiven("--steps-at-once"))
        throw UsageError("--steps-at-once means nothing to --hetero: NT is n there");
    for (const char* name : {"--storage", "--closure", "--equilibrium", "--arithmetic", "--tile", "--wall", "--force",
                             "--parts", "--ranks", "--exchange", "--suite", "--accuracy", "--model", "--device-memory",
                             "--slab-steps", "--slab-layers"})
        if (o.towers && o.isGiven(name)) throw UsageError(std::string(name) + " means nothing to --towers");
    if (o.towers && !o.hetero && o.isGiven("--share-devices"))
        throw UsageError("--share-devices means nothing to --towers without --hetero");
    for (const char* name :
         {"--geometry", "--size", "--length", "--width", "--porosity", "--diameter", "--seed", "--lattice", "--tile"})
        if (!o.suite.empty() && o.isGiven(name)) throw UsageError(std::string(name) + " is for a suite to choose");
}

} // namespace

Options parse(int argc, const char* const* argv)
{
    // Whole names alone: what is short for one option today may be short for two tomorrow
    constexpr int style = po::command_line_style::allow_long | po::command_line_style::long_allow_adjacent
        | po::command_line_style::long_allow_next;
    Options options;
    const po::options_description known = table(options);
    try {
        const po::parsed_options parsed = po::command_line_parser(argc, argv).options(known).style(style).run();
        for (const po::option& option : parsed.options) {
            // The library passes over words that belong to no option
            if (option.string_key.empty()) throw UsageError("unknown option '" + option.value.front() + "'");
            options.given.push_back("--" + option.string_key);
        }
        po::variables_map values;
        po::store(parsed, values);
        po::notify(values);
    } catch (const po::error& fault) {
        throw UsageError(fault.what());
    }
    if (options.towers && !options.isGiven("--geometry")) options.geometry = "box";
    checkTogether(options);
    for (const std::string& wall : options.wall) wallNamed(wall);
    for (const std::string& force : options.force) forceNamed(force);
    for (const std::string& closure : options.closure) {
        Config unused;
        setClosure(unused, closure);
    }
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
    text << table(defaults);
    return text.str();
}

bool Options::isGiven(const std::string& option) const
{
    return std::find(given.begin(), given.end(), option) != given.end();
}

std::vector<Config> Options::configs() const
{
    std::vector<Config> all;
    const std::vector<int> counts = threads.empty() ? std::vector<int>{0} : threads;
    Config c;
    c.device = device;
    c.exchange = exchange;
    c.sharedDevices = sharedDevices;
    c.ranks = ranks();
    c.tau = tau;
    c.deviceMemory = 1e9 * deviceMemory;
    c.blocks = blocks;
    c.slabSteps = slabSteps;
    c.slabLayers = slabLayers;
    for (const auto& l : lattice)
        for (const auto& k : collision)
            for (const auto& f : closure)
                for (const auto& e : equilibrium)
                    for (const auto& s : storage)
                        for (const auto& p : precision)
                            for (const auto& a : arithmetic)
                                for (const auto& t : tile)
                                    for (const auto& w : wall)
                                        for (const auto& b : force)
                                            for (int n : counts)
                                                for (int m : parts) {
                                                    c.lattice = l;
                                                    c.collision = k;
                                                    setClosure(c, f);
                                                    c.equilibrium = e;
                                                    c.storage = s;
                                                    c.precision = p;
                                                    c.arithmetic = a;
                                                    c.tile = t;
                                                    c.patches = {wallNamed(w)};
                                                    c.nodeForces = forceNamed(b);
                                                    c.threads = n;
                                                    c.parts = std::max(m, c.ranks);
                                                    all.push_back(c);
                                                }
    return all;
}

} // namespace lbm::bench
