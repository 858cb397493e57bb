// Part of lbmFoam, GPL-3.0-or-later.

#include "catalyst.H"
#include "lbmLattice.H"
#include "lbm/api/Ranks.hpp"
#include "addToRunTimeSelectionTable.H"
#include "dynamicCode.H"
#include "foamVersion.H"
#include "HashTable.H"
#include "OSspecific.H"
#include "PstreamReduceOps.H"
#include "sigFpe.H"
#include "Time.H"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(catalyst, 0);
    addToRunTimeSelectionTable(functionObject, catalyst, dictionary);
}
}

const int Foam::functionObjects::catalyst::allowAsAdministrator
(
    Foam::debug::infoSwitch("allowInsituAsAdministrator", 0)
);

namespace
{

using wallClock = std::chrono::steady_clock;

Foam::scalar since(const wallClock::time_point start)
{
    return std::chrono::duration<Foam::scalar>(wallClock::now() - start).count();
}


// By the words for the entry backEnd
const Foam::HashTable<Foam::string> modules
({
    {"paraview", "liblbmInsituParaView.so"},
    {"catalyst", "liblbmInsituCatalyst.so"}
});


template<class Texts>
std::vector<std::string> toStd(const Texts& texts)
{
    return std::vector<std::string>(texts.begin(), texts.end());
}

} // End anonymous namespace


Foam::functionObjects::catalyst::catalyst
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    timeFunctionObject(name, runTime),
    fatal_(true),
    begin_(wallClock::now()),
    seconds_(0),
    published_(0)
{
    read(dict);
}


Foam::functionObjects::catalyst::~catalyst()
{
    finish();
}


Foam::fileName Foam::functionObjects::catalyst::inCase(fileName name) const
{
    name.expand();
    if (!name.isAbsolute()) name = time_.globalPath()/name;
    name.clean();
    return name;
}


void Foam::functionObjects::catalyst::checkSecurity(const dictionary& dict)
{
    const bool administrator = isAdministrator() && !allowAsAdministrator;
    if (!administrator && dynamicCode::allowSystemOperations) return;

    FatalIOErrorInFunction(dict)
        << "Entry scripts: scripts are programs, which may do all that "
        << (administrator ? "an administrator" : "you")
        << " may, and are not run"
        << (administrator ? " with administrator rights" : " here") << nl
        << "If you trust them, add" << nl << nl << "    "
        << (administrator
          ? "allowInsituAsAdministrator 1;" : "allowSystemOperations 1;")
        << nl << nl
        << "to InfoSwitches in one of" << nl << nl
        << "    ~/.OpenFOAM/" << foamVersion::api << "/controlDict" << nl
        << "    ~/.OpenFOAM/controlDict" << nl
        << "    $WM_PROJECT_DIR/etc/controlDict" << nl << nl
        << "A case's own controlDict cannot allow it" << exit(FatalIOError);
}


void Foam::functionObjects::catalyst::readScripts(const dictionary& dict)
{
    checkSecurity(dict);
    files_.clear();
    texts_.clear();
    for (const fileName& given : dict.get<List<fileName>>("scripts"))
    {
        const fileName file(inCase(given));
        const fileName text(isDir(file) ? file/"__init__.py" : file);
        std::ifstream stream(text.c_str());
        std::stringstream content;
        content << stream.rdbuf();
        if (!stream.good() && content.str().empty())
        {
            FatalIOErrorInFunction(dict)
                << "Entry scripts: cannot read " << text << exit(FatalIOError);
        }
        files_.append(file);
        texts_.append(string(content.str()));
    }
    if (files_.empty())
    {
        FatalIOErrorInFunction(dict)
            << "Entry scripts is empty" << exit(FatalIOError);
    }
}


void Foam::functionObjects::catalyst::readChannels(const dictionary& dict)
{
    channels_.clear();
    // The Mesh Blueprint has no word for ghosts
    const bool ghosts = dict.getOrDefault<word>("backEnd", "paraview") != "catalyst";
    const auto add = [&](const word& name, const dictionary& channel)
    {
        channels_.append(insituChannel::New(name, time_, channel, texts_, ghosts));
    };

    if (dict.found("inputs"))
    {
        for (const entry& e : dict.subDict("inputs")) add(e.keyword(), e.dict());
        return;
    }
    // Entries of the channels may stand in the dictionary itself
    const List<Pair<word>> usual
    ({
        {"input", "default"}, {"walls", "walls"}, {"mesh", "mesh"}
    });
    DynamicList<word> names;
    for (const Pair<word>& channel : usual)
    {
        names.append(channel.first());
        bool named = false;
        for (const string& text : texts_)
        {
            named = named || insituChannel::mentions(text, channel.first());
        }
        if (!named) continue;
        dictionary settings(dict);
        settings.set("type", channel.second());
        add(channel.first(), settings);
    }
    if (channels_.empty())
    {
        FatalIOErrorInFunction(dict)
            << "No script names one of the channels " << flatOutput(names)
            << " as registrationName" << nl
            << "For other names give entry inputs, for example: inputs { grid"
            << " { type default; } }" << exit(FatalIOError);
    }
}


void Foam::functionObjects::catalyst::makeFolders
(
    const dictionary& dict,
    const fileName& output
) const
{
    fileNameList folders(1, output);
    if (dict.found("mkdir"))
    {
        folders.append(inCase(dict.get<fileName>("mkdir")));
    }
    // Not OpenFOAM's mkDir, whose error would only warn here
    bool good = true;
    if (Pstream::master())
    {
        for (const fileName& folder : folders)
        {
            std::error_code fault;
            std::filesystem::create_directories(folder.c_str(), fault);
            good = good && !fault && access(folder.c_str(), W_OK) == 0;
        }
    }
    reduce(good, andOp<bool>());
    if (!good)
    {
        FatalIOErrorInFunction(dict)
            << "Cannot write in " << flatOutput(folders) << exit(FatalIOError);
    }
}


void Foam::functionObjects::catalyst::start(const dictionary& dict)
{
    const word backEnd(dict.getOrDefault<word>("backEnd", "paraview"));
    if (!modules.found(backEnd))
    {
        FatalIOErrorInFunction(dict)
            << "Entry backEnd is " << backEnd << "; valid are "
            << flatOutput(modules.sortedToc()) << exit(FatalIOError);
    }
    const fileName output
    (
        inCase
        (
            dict.getOrDefault<fileName>("outputDirectory", outputPrefix/name())
        )
    );
    makeFolders(dict, output);
    // Quoted or not
    const fileName live(dict.getOrDefault<fileName>("live", fileName()));
    if (live.size() && live.find(':') == string::npos)
    {
        FatalIOErrorInFunction(dict)
            << "Entry live is " << live << "; it is host:port"
            << exit(FatalIOError);
    }
    std::string failure
    (
        // Constants that VTK computes when it is loaded may raise what OpenFOAM
        // traps
        attempt
        (
            [&]{ team_ = std::make_unique<lbm::ModuleTeam>(modules[backEnd]); }
        )
    );
    if (failure.size())
    {
        FatalIOErrorInFunction(dict)
            << "Cannot load the in-situ module " << failure.c_str()
            << nl << "lbmFoam builds it where it finds ParaView 5.11 with its"
            << " headers" << exit(FatalIOError);
    }
    lbm::ModuleSetup setup;
    setup.scripts = toStd(files_);
    setup.arguments =
        toStd(dict.getOrDefault<List<string>>("arguments", List<string>()));
    setup.outputDirectory = output;
    setup.live = live;
    setup.ranks = Pstream::parRun() ? Pstream::nProcs() : lbm::ranks();
    failure = attempt([&]{ team_->initialize(setup); });
    if (failedAnywhere(failure))
    {
        FatalIOErrorInFunction(dict)
            << team_->name() << ": " << failure.c_str() << exit(FatalIOError);
    }
    Info<< type() << ' ' << name() << ": " << team_->name() << ", scripts "
        << flatOutput(files_) << ", output in " << output << nl;
}


std::string Foam::functionObjects::catalyst::attempt
(
    const std::function<void()>& call
)
{
    const sigFpe::ignore untrapped;
    try
    {
        call();
    }
    catch (const std::exception& fault)
    {
        const std::string words(fault.what());
        return words.empty() ? "failed" : words;
    }
    return std::string();
}


bool Foam::functionObjects::catalyst::failedAnywhere(std::string& failure)
{
    bool any = failure.size();
    reduce(any, orOp<bool>());
    if (any && failure.empty()) failure = "another process failed";
    return any;
}


void Foam::functionObjects::catalyst::check
(
    std::string failure,
    const char* what
)
{
    if (!failedAnywhere(failure)) return;

    OStringStream text;
    text<< type() << ' ' << name() << ", " << what << " at time "
        << time_.timeName() << ":" << nl << failure.c_str() << nl;
    for (insituChannel& channel : channels_)
    {
        text<< "Channel " << channel.name() << " has the fields "
            << flatOutput(channel.available()) << nl;
    }
    if (fatal_)
    {
        FatalErrorInFunction << text.str().c_str() << exit(FatalError);
    }
    WarningInFunction
        << text.str().c_str() << "The run goes on without it" << endl;
}


bool Foam::functionObjects::catalyst::read(const dictionary& dict)
{
    functionObject::read(dict);
    const bool onWrite =
        !dict.found("executeControl") && !dict.found("executeInterval");
    control_.reset
    (
        new Foam::timeControl(time_, dict, onWrite ? "write" : "execute")
    );

    const word onError(dict.getOrDefault<word>("onError", "fatal"));
    if (onError != "fatal" && onError != "warn")
    {
        FatalIOErrorInFunction(dict)
            << "Entry onError is " << onError << "; valid are fatal and warn"
            << exit(FatalIOError);
    }
    fatal_ = onError == "fatal";
    parameters_ = dict.subOrEmptyDict("parameters");

    // The new client before the old one goes: with the last one ParaView ends,
    // for good
    const std::unique_ptr<lbm::ModuleTeam> former(std::move(team_));
    readScripts(dict);
    readChannels(dict);
    start(dict);
    if (former) check(attempt([&]{ former->finalize(); }), "finalizing");
    return true;
}


std::vector<std::string>
Foam::functionObjects::catalyst::parameterTexts() const
{
    std::vector<std::string> result;
    for (const entry& e : parameters_)
    {
        OStringStream value;
        for (const token& t : e.stream())
        {
            if (value.str().size()) value << ' ';
            if (t.isString()) value.writeQuoted(t.stringToken(), false);
            else value << t;
        }
        result.push_back(e.keyword() + "=" + value.str());
    }
    return result;
}


void Foam::functionObjects::catalyst::publish()
{
    for (insituChannel& channel : channels_)
    {
        const wordList names(channel.wanted(channel.available()));
        channel.update();
        const lbmInsituMesh& cells = channel.cells();
        const std::vector<lbmInsituArray> fields(channel.fields(names));
        check
        (
            attempt
            (
                [&]
                {
                    team_->publish
                    (
                        channel.name(), cells, fields, channel.source(),
                        channel.piece()
                    );
                }
            ),
            "publishing"
        );
    }
}


void Foam::functionObjects::catalyst::perform()
{
    const auto begin = wallClock::now();
    const scalar startedBefore = team_->startSeconds();
    const label step = time_.timeIndex();
    const scalar time = time_.value();

    bool due = false;
    {
        const sigFpe::ignore untrapped;
        due = team_->due(step, time);
    }
    reduce(due, orOp<bool>());
    if (!due)
    {
        seconds_ += since(begin);
        return;
    }

    publish();
    const scalar publishing = since(begin);
    const std::string failure
    (
        attempt([&]{ team_->execute(step, time, parameterTexts()); })
    );
    const scalar starting = team_->startSeconds() - startedBefore;
    const scalar all = since(begin) - starting;
    seconds_ += all;
    ++published_;
    Info<< type() << ' ' << name() << ": " << all << " s, of it "
        << publishing << " s to publish";
    if (starting > 0) Info<< "; " << starting << " s to start up";
    Info<< endl;
    check(failure, "executing");
}


bool Foam::functionObjects::catalyst::execute()
{
    if (control_->execute()) perform();
    return true;
}


bool Foam::functionObjects::catalyst::write()
{
    return true;
}


void Foam::functionObjects::catalyst::finish()
{
    if (!team_) return;
    const std::unique_ptr<lbm::ModuleTeam> team(std::move(team_));
    const scalar starting = team->startSeconds();
    const std::string failure(attempt([&]{ team->finalize(); }));
    Info<< type() << ' ' << name() << ": " << published_ << " times, "
        << seconds_ << " s in all, "
        << 100*seconds_/(since(begin_) - starting)
        << " % of the run, besides " << starting << " s to start up" << endl;
    check(failure, "finalizing");
}


bool Foam::functionObjects::catalyst::end()
{
    finish();
    return true;
}
