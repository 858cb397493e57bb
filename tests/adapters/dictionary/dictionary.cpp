// What is read of a dictionary with a table of its entries, and what is refused in whose name.
// Part of lbmFoam, GPL-3.0-or-later.
#include "documentedDict.H"
#include "namedFile.H"

#include "StringStream.H"

#include <gtest/gtest.h>

namespace lbm::test {
namespace {

using row = Foam::documentedDict::row;

const Foam::documentedDict& table()
{
    static const Foam::documentedDict made(
        "someDict",
        {{"speed", row::preset, "1.5", "Metres a second"},
         {"patches", row::example, "(inlet outlet)", "Names"},
         {"surface", row::required, "\"body.stl\"", "A file"},
         {"openings", row::example, "{ inlet { type plain; } }", "Kinds of openings"}});
    return made;
}

Foam::dictionary given(const char* text)
{
    Foam::IStringStream stream(text);
    stream.name() = "case/system/someDict";
    Foam::dictionary dict(stream.name());
    dict.read(stream);
    return dict;
}

// What a fatal error says, with the file that it names.
template<class Read>
std::string refusal(Read&& read)
{
    try {
        read();
    } catch (const Foam::IOerror& fault) {
        return fault.ioFileName() + ": " + fault.message();
    } catch (const Foam::error& fault) {
        return fault.message();
    }
    return {};
}

void expectWords(const std::string& message, std::initializer_list<const char*> words)
{
    for (const char* word : words) EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
}

TEST(Dictionary, entriesAsGivenElseTheirDefaults)
{
    EXPECT_EQ(table().get<Foam::scalar>(given(""), "speed"), 1.5);
    EXPECT_EQ(table().get<Foam::scalar>(given("speed 2;"), "speed"), 2);
    EXPECT_EQ(table().get<Foam::string>(given("surface \"a.stl\";"), "surface"), "a.stl");
    EXPECT_EQ(Foam::documentedDict::list<Foam::wordList>(given("patches (a b);"), "patches"),
              Foam::wordList({"a", "b"}));
    EXPECT_EQ(table().subKeys("openings"), Foam::wordList({"inlet"}));
    EXPECT_EQ(table().keywords(), Foam::wordList({"speed", "patches", "surface", "openings"}));
}

TEST(Dictionary, otherEntriesAreRefusedWithTheFile)
{
    expectWords(refusal([] { Foam::documentedDict::checkKeys(given("sped 2;"), table().keywords()); }),
                {"case/system/someDict", "Unknown entry sped", "openings patches speed surface"});
    // No value where one is needed
    expectWords(refusal([] { table().get<Foam::string>(given(""), "surface"); }), {"case/system/someDict", "surface"});
    expectWords(refusal([] { table().get<Foam::scalar>(given("speed { a 1; }"), "speed"); }),
                {"case/system/someDict", "entry speed takes a value"});
    expectWords(refusal([] { table().get<Foam::scalar>(given("speed fast;"), "speed"); }), {"case/system/someDict"});
    expectWords(refusal([] { table().get<Foam::scalar>(given("speed 1 2;"), "speed"); }), {"case/system/someDict"});
}

// OpenFOAM would take memory for as many as are announced before it reads on.
TEST(Dictionary, listsHaveWhatTheyAnnounce)
{
    EXPECT_EQ(Foam::documentedDict::list<Foam::wordList>(given("patches 2(a b);"), "patches").size(), 2);
    expectWords(
        refusal([] { Foam::documentedDict::list<Foam::wordList>(given("patches 2000000000(a b);"), "patches"); }),
        {"case/system/someDict", "Entry patches announces 2000000000 values, and has"});
}

TEST(Dictionary, aWordThatTheTableLacksIsOurOwnFault)
{
    expectWords(refusal([] { table().get<Foam::scalar>(given(""), "sped"); }),
                {"sped is not in the table of someDict"});
}

// Whatever stops the reading of a file is said with its name.
TEST(Dictionary, readersNameTheFile)
{
    const Foam::fileName file("case/0/U");
    EXPECT_EQ(Foam::namedFile::read(file, [] { return 7; }), 7);
    expectWords(refusal([&] { Foam::namedFile::read(file, [] { throw std::bad_alloc(); }); }),
                {"case/0/U", "Not enough memory for what it announces"});
    expectWords(refusal([&] {
                    Foam::namedFile::read(file,
                                          [] { FatalErrorInFunction << "no sense" << Foam::exit(Foam::FatalError); });
                }),
                {"case/0/U", "no sense"});
    expectWords(
        refusal([&] { Foam::namedFile::read(file, [] { table().get<Foam::scalar>(given("speed x;"), "speed"); }); }),
        {"case/0/U", "in case/system/someDict"});
}

} // namespace
} // namespace lbm::test

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    Foam::FatalError.throwExceptions();
    Foam::FatalIOError.throwExceptions();
    return RUN_ALL_TESTS();
}
