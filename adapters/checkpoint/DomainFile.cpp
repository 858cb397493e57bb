// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/DomainFile.hpp"

#include "adapters/checkpoint/Checkpoint.hpp"
#include "adapters/checkpoint/Digest.hpp"
#include "adapters/checkpoint/Hdf5.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include <unistd.h>

namespace lbm {

namespace {

constexpr FileKind domainKind = {"domain", 1};
constexpr std::size_t boxWords = 7; // size, dimensions, periodic
constexpr std::size_t placeWords = 4;

[[noreturn]] void damaged(const std::string& what) { throw CheckpointError(what); }

void writeTexts(const hdf5::File& file, const std::string& group, const std::map<std::string, std::string>& texts)
{
    file.makeGroup(group);
    for (const auto& [name, text] : texts) file.writeText(group + '/' + name, text);
}

std::map<std::string, std::string> readTexts(const hdf5::File& file, const std::string& group)
{
    std::map<std::string, std::string> texts;
    for (const std::string& name : file.members(group)) texts[name] = file.readText(group + '/' + name);
    return texts;
}

template<class T, class Member>
std::vector<T> column(const std::vector<Link>& links, Member member)
{
    std::vector<T> values;
    values.reserve(links.size());
    for (const Link& link : links) values.push_back(link.*member);
    return values;
}

template<class T, class Member>
void writeColumn(const hdf5::File& file, const std::string& path, const std::vector<Link>& links, Member member)
{
    const std::vector<T> values = column<T>(links, member);
    file.write(path, values.data(), values.size());
}

template<class T, class Member>
void readColumn(const hdf5::File& file, const std::string& path, std::vector<Link>& links, Member member)
{
    const std::vector<T> values = file.read<T>(path, links.size());
    for (std::size_t i = 0; i < links.size(); ++i) links[i].*member = values[i];
}

void writeDomain(const hdf5::File& file, const std::string& at, const Domain& domain)
{
    std::vector<std::int64_t> box(domain.size.begin(), domain.size.end());
    box.push_back(domain.dimensions);
    box.insert(box.end(), domain.periodic.begin(), domain.periodic.end());
    file.write(at + "box", box.data(), box.size());
    const double place[placeWords] = {domain.origin[0], domain.origin[1], domain.origin[2], domain.spacing};
    file.write(at + "place", place, placeWords);
    const std::vector<std::uint64_t>& words = domain.fluid.words();
    file.write(at + "fluid", words.data(), words.size());

    // Names may hold anything but a zero
    std::string names;
    for (const std::string& patch : domain.patches) names += patch + '\0';
    file.writeText(at + "patches", names);

    file.makeGroup(at + "links");
    writeColumn<std::int64_t>(file, at + "links/nodes", domain.links, &Link::node);
    writeColumn<float>(file, at + "links/fractions", domain.links, &Link::fraction);
    writeColumn<std::int16_t>(file, at + "links/patches", domain.links, &Link::patch);
    writeColumn<std::uint8_t>(file, at + "links/directions", domain.links, &Link::direction);
}

void readBox(const hdf5::File& file, const std::string& at, Domain& domain)
{
    const std::vector<std::int64_t> box = file.read<std::int64_t>(at + "box", boxWords);
    // As many as can be counted; memory for them has to be in the file
    std::int64_t nodes = 1;
    for (int a = 0; a < 3; ++a) {
        if (box[a] < 1 || box[a] > std::numeric_limits<int>::max() || __builtin_mul_overflow(nodes, box[a], &nodes))
            damaged(file.name() + ": its box has sides of no length");
        domain.size[a] = int(box[a]);
        domain.periodic[a] = box[4 + a] != 0;
    }
    domain.dimensions = int(box[3] == 2 ? 2 : 3);
    const std::vector<double> place = file.read<double>(at + "place", placeWords);
    domain.origin = {place[0], place[1], place[2]};
    domain.spacing = place[3];
    domain.fluid = BitSet(nodes, file.read<std::uint64_t>(at + "fluid", std::size_t(nodes / 64 + (nodes % 64 != 0))));
    if (const int last = int(nodes % 64); last && domain.fluid.words().back() >> last)
        damaged(file.name() + ": nodes beyond the end of its box");
}

Domain readDomain(const hdf5::File& file, const std::string& at)
{
    Domain domain;
    readBox(file, at, domain);
    std::string name;
    for (const char c : file.readText(at + "patches")) {
        if (c) name += c;
        else domain.patches.push_back(std::move(name)), name.clear();
    }
    const std::vector<std::int64_t> nodes = file.read<std::int64_t>(at + "links/nodes");
    domain.links.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) domain.links[i].node = nodes[i];
    readColumn<float>(file, at + "links/fractions", domain.links, &Link::fraction);
    readColumn<std::int16_t>(file, at + "links/patches", domain.links, &Link::patch);
    readColumn<std::uint8_t>(file, at + "links/directions", domain.links, &Link::direction);
    try {
        domain.check();
    } catch (const std::invalid_argument& fault) {
        damaged(file.name() + ": " + fault.what());
    }
    return domain;
}

// What differs, if anything does.
std::string difference(const DomainIdentity& there, const DomainIdentity& here)
{
    for (const auto& [what, text] : here) {
        const auto found = there.find(what);
        const std::string other = found == there.end() ? "not told" : found->second;
        if (other != text) return "its " + what + " is " + other + ", that of the case " + text;
    }
    return there.size() == here.size() ? "" : "it was made by more than the case asks for";
}

DomainRecord readRecord(const hdf5::File& file, const std::string& at)
{
    DomainRecord result;
    result.domain = readDomain(file, at);
    for (const std::string& name : file.members(at + "numbers"))
        result.numbers[name] = file.read<std::int64_t>(at + "numbers/" + name, 1).front();
    result.texts = readTexts(file, at + "texts");
    return result;
}

// Others than one of a file, if it is whole.
void copyOthers(const std::string& name, const std::string& record, const hdf5::File& to)
{
    try {
        checkSeal(name, domainKind);
    } catch (const CheckpointError&) {
        return;
    }
    const hdf5::File from = hdf5::File::open(name);
    for (const std::string& other : from.members("/"))
        if (other != record) to.copy(from, other);
}

void writeAside(const std::string& aside, const std::string& name, const std::string& record,
                const DomainIdentity& identity, const DomainRecord& content)
{
    hdf5::File file = hdf5::File::create(aside, headerBytes);
    copyOthers(name, record, file);
    const std::string at = record + '/';
    file.makeGroup(record);
    writeTexts(file, at + "identity", identity);
    writeTexts(file, at + "texts", content.texts);
    file.makeGroup(at + "numbers");
    for (const auto& [what, value] : content.numbers) file.write(at + "numbers/" + what, &value, 1);
    writeDomain(file, at, content.domain);
    file.close();
    seal(aside, domainKind, {headerBytes, 0, 0});
}

} // namespace

std::optional<DomainRecord> DomainFile::read(const std::string& record, const DomainIdentity& identity,
                                             std::string& why) const
{
    why.clear();
    if (access(name_.c_str(), F_OK) != 0) return std::nullopt;
    try {
        checkSeal(name_, domainKind);
        const hdf5::File file = hdf5::File::open(name_);
        if (file.members(record).empty()) return std::nullopt;
        why = difference(readTexts(file, record + "/identity"), identity);
        if (why.empty()) return readRecord(file, record + '/');
        why = name_ + ": of the " + record + ' ' + why;
    } catch (const CheckpointError& fault) {
        why = fault.what();
    }
    return std::nullopt;
}

void DomainFile::write(const std::string& record, const DomainIdentity& identity, const DomainRecord& content) const
{
    if (!content.domain.turns.empty() || content.domain.hasGhosts())
        throw std::invalid_argument("DomainFile: a domain with turns or ghosts");
    const std::string aside = name_ + ".unfinished";
    try {
        writeAside(aside, name_, record, identity, content);
    } catch (const CheckpointError&) {
        unlink(aside.c_str());
        throw;
    }
    if (std::rename(aside.c_str(), name_.c_str()) == 0) return;
    const std::string why = std::strerror(errno);
    unlink(aside.c_str());
    throw CheckpointError(name_ + ": " + why);
}

} // namespace lbm
