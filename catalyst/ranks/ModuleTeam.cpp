// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/ranks/ModuleTeam.hpp"

#include "catalyst/lattice/LatticePiece.hpp"

#include <memory>

namespace lbm {

namespace {

const char* const moduleWorker = "in situ: module";

enum class Asked { load, initialize, publishPiece, publishNothing, execute, finalize };

Message toldOf(const ModuleSetup& setup)
{
    return Message(Asked::initialize, setup.scripts, setup.arguments, setup.outputDirectory, setup.live, setup.ranks);
}

ModuleSetup getSetup(Message& told)
{
    ModuleSetup setup;
    told.get(setup.scripts), told.get(setup.arguments), told.get(setup.outputDirectory), told.get(setup.live);
    told.get(setup.ranks);
    return setup;
}

// No cells and no points, or an image of no points, with the fields that another process has
class Nothing {
public:
    explicit Nothing(Message& told)
    {
        const auto isImage = told.get<bool>();
        if (isImage) mesh_.image = &image_;
        told.get(image_), told.get(mesh_.points.type), told.get(mesh_.uniformType);
        for (std::int64_t& count : image_.counts) count = 0;
        mesh_.version = 1;
        mesh_.points.name = "points";
        mesh_.points.place = LBM_POINTS;
        mesh_.points.components = 3;
        mesh_.points.values = mesh_.offsets = mesh_.connectivity = &zero_;
        names_.resize(told.get<std::size_t>());
        for (std::string& name : names_) {
            lbmInsituArray array{};
            told.get(name), told.get(array.type), told.get(array.place), told.get(array.components);
            array.name = name.c_str();
            array.values = &zero_;
            fields_.push_back(array);
        }
    }
    Nothing(const Nothing&) = delete;
    Nothing& operator=(const Nothing&) = delete;

    const lbmInsituMesh& mesh() const { return mesh_; }
    const std::vector<lbmInsituArray>& fields() const { return fields_; }

private:
    static constexpr std::int32_t zero_ = 0;
    lbmInsituMesh mesh_{};
    lbmInsituImage image_{};
    std::vector<std::string> names_;
    std::vector<lbmInsituArray> fields_;
};

void putNothing(Message& told, const lbmInsituMesh& mesh, const std::vector<lbmInsituArray>& fields)
{
    told.put(bool(mesh.image)), told.put(mesh.image ? *mesh.image : lbmInsituImage{});
    told.put(mesh.points.type), told.put(mesh.uniformType);
    std::vector<const lbmInsituArray*> ofCells;
    for (const lbmInsituArray& field : fields)
        if (field.place != LBM_WHOLE) ofCells.push_back(&field);
    told.put(ofCells.size());
    for (const lbmInsituArray* field : ofCells) {
        told.put(std::string(field->name)), told.put(field->type), told.put(field->place);
        told.put(field->components);
    }
}

// Its answers are empty; what it throws is told.
class ModuleWorker final : public RankWorker {
public:
    explicit ModuleWorker(Message& told) : client_(told.get<std::string>()) {}

    Message answer(Message& told) override
    {
        switch (told.get<Asked>()) {
            case Asked::load: break; // when it was made
            case Asked::initialize: client_.initialize(getSetup(told)); break;
            case Asked::publishPiece: publishPiece(told); break;
            case Asked::publishNothing: publishNothing(told); break;
            case Asked::execute: execute(told); break;
            case Asked::finalize: client_.finalize(); break;
        }
        return {};
    }

private:
    void publishPiece(Message& told)
    {
        const auto channel = told.get<std::string>();
        const LatticePiece& piece = LatticePiece::find(told.get<int>());
        std::vector<std::string> names;
        told.get(names);
        client_.publish(channel, piece.mesh(), piece.fields(names), piece.source());
    }

    // What it has but for zero_ modules copy
    void publishNothing(Message& told)
    {
        const auto channel = told.get<std::string>();
        const Nothing nothing(told);
        client_.publish(channel, nothing.mesh(), nothing.fields(), nullptr);
    }

    void execute(Message& told)
    {
        const auto step = told.get<std::int64_t>();
        const auto time = told.get<double>();
        std::vector<std::string> parameters;
        told.get(parameters);
        client_.execute(step, time, parameters);
    }

    ModuleClient client_;
};

[[maybe_unused]] const bool moduleNamed = nameRankWorker(
    moduleWorker, [](Message& told) -> std::unique_ptr<RankWorker> { return std::make_unique<ModuleWorker>(told); });

} // namespace

ModuleTeam::ModuleTeam(const std::string& file) : team_(moduleWorker, Message(file)), here_(file)
{
    // What one of them cannot load the others shall not wait for
    together(Message(Asked::load), [] {});
}

// Each other one is told the same
void ModuleTeam::together(const Message& told, const std::function<void()>& here)
{
    team_.ask(std::vector<Message>(std::size_t(team_.size() - 1), told), here);
}

void ModuleTeam::initialize(const ModuleSetup& setup)
{
    together(toldOf(setup), [&] { here_.initialize(setup); });
}

void ModuleTeam::publish(const std::string& channel, const lbmInsituMesh& mesh,
                         const std::vector<lbmInsituArray>& fields, const lbmInsituSource* source, int piece)
{
    Message told(piece < 0 ? Asked::publishNothing : Asked::publishPiece, channel);
    if (piece < 0) {
        putNothing(told, mesh, fields);
    } else {
        std::vector<std::string> names;
        for (const lbmInsituArray& field : fields) names.emplace_back(field.name);
        told.put(piece), told.put(names);
    }
    together(told, [&] { here_.publish(channel, mesh, fields, source); });
}

void ModuleTeam::execute(std::int64_t step, double time, const std::vector<std::string>& parameters)
{
    together(Message(Asked::execute, step, time, parameters), [&] { here_.execute(step, time, parameters); });
}

void ModuleTeam::finalize()
{
    together(Message(Asked::finalize), [&] { here_.finalize(); });
}

} // namespace lbm
