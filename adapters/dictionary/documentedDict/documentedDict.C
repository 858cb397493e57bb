// Part of lbmFoam, GPL-3.0-or-later.

#include "documentedDict.H"
#include "argList.H"
#include "IOstreams.H"
#include "StringStream.H"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

namespace
{

const std::string helpOption = "help-dict";
const std::size_t lineWidth = 78;
const std::size_t keyWidth = 16;


// Its words in lines
void writeComment(Foam::Ostream& os, const std::string& text)
{
    std::istringstream words(text);
    std::string line = "//", word;
    while (words >> word)
    {
        if (line.size() + 1 + word.size() > lineWidth)
        {
            os << line.c_str() << Foam::nl;
            line = "//";
        }
        line += " " + word;
    }
    os << line.c_str() << Foam::nl;
}


std::string padded(const std::string& keyword)
{
    const std::size_t width = std::max(keyWidth, keyword.size() + 1);
    return keyword + std::string(width - keyword.size(), ' ');
}


// As an entry of a dictionary
std::string entryText(const Foam::documentedDict::row& r)
{
    const bool isDict = r.value.size() && r.value.front() == '{';
    return padded(r.keyword) + r.value + (isDict ? "" : ";");
}

} // End anonymous namespace


Foam::documentedDict::documentedDict
(
    const word& name,
    std::initializer_list<row> rows
)
:
    name_(name),
    rows_(rows)
{
    for (const row& r : rows_)
    {
        IStringStream text(entryText(r));
        values_.add(entry::New(text).ptr());
    }
    values_.name() = name_ + ".defaults";
}


const Foam::documentedDict::row& Foam::documentedDict::find
(
    const word& keyword
) const
{
    const auto found = std::find_if
    (
        rows_.begin(),
        rows_.end(),
        [&](const row& r) { return r.keyword == keyword; }
    );
    if (found == rows_.end())
    {
        FatalErrorInFunction
            << "Keyword " << keyword << " is not in the table of " << name_
            << abort(FatalError);
    }
    return *found;
}


const Foam::dictionary& Foam::documentedDict::source
(
    const dictionary& given,
    const word& keyword
) const
{
    // OpenFOAM would abort: not every entry is read where that is caught
    const dictionary* sub = given.findDict(keyword);
    if (sub)
    {
        FatalIOErrorInFunction(*sub)
            << "Attempt to return dictionary entry as a primitive: entry "
            << keyword << " takes a value" << exit(FatalIOError);
    }
    // Those without a default have to be there: OpenFOAM then says so
    const bool hasDefault = find(keyword).kind == row::preset;
    return hasDefault && !given.found(keyword) ? values_ : given;
}


Foam::string Foam::documentedDict::oneOf(const wordList& names)
{
    string text("One of");
    for (const word& name : names) text += " " + name;
    return text;
}


Foam::wordList Foam::documentedDict::keywords() const
{
    wordList all(rows_.size());
    forAll(all, i) all[i] = rows_[i].keyword;
    return all;
}


Foam::wordList Foam::documentedDict::subKeys(const word& keyword) const
{
    find(keyword);
    return values_.subDict(keyword).toc();
}


// The file is read once more, since what it says is all that is left of a macro
bool Foam::documentedDict::isMacro(const dictionary& given, const word& keyword)
{
    std::ifstream file(given.topDict().name());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const char* before : {"$", "${", "$:", "${:"})
    {
        const std::string use = before + keyword;
        for (std::size_t at = text.find(use); at != text.npos; at = text.find(use, at + 1))
        {
            const std::size_t end = at + use.size();
            const bool goesOn = end < text.size() && (std::isalnum(text[end]) || text[end] == '_');
            if (!goesOn) return true;
        }
    }
    return false;
}


void Foam::documentedDict::checkKeys
(
    const dictionary& given,
    const wordList& valid
)
{
    for (const entry& e : given)
    {
        if (valid.found(e.keyword()) || e.keyword() == "FoamFile" || isMacro(given, e.keyword()))
        {
            continue;
        }
        wordList sorted(valid);
        sort(sorted);
        FatalIOErrorInFunction(given)
            << "Unknown entry " << e.keyword() << nl
            << "Valid entries are: " << flatOutput(sorted) << nl
            << "Others may be there for use as a macro in this very file: $" << e.keyword()
            << exit(FatalIOError);
    }
}


void Foam::documentedDict::checkCount
(
    const dictionary& given,
    const word& keyword
)
{
    const ITstream& words = given.lookup(keyword);
    if (words.empty() || !words[0].isLabel()) return;

    const label n = words[0].labelToken();
    if (n <= words.size()) return;
    FatalIOErrorInFunction(given)
        << "Entry " << keyword << " announces " << n << " values, and has "
        << words.size() - 1 << exit(FatalIOError);
}


void Foam::documentedDict::print(Ostream& os, const row& r) const
{
    os << nl;
    string text(r.text);
    if (r.kind == row::required) text += ". Required";
    writeComment(os, text);
    os << (r.kind == row::example ? "//" : "") << entryText(r).c_str() << nl;
}


void Foam::documentedDict::print(Ostream& os) const
{
    os << "// system/" << name_ << ": all its entries. Those that are comments"
        << nl << "// have no default, or one that depends on the case; the"
        << " others show theirs." << nl
        << "FoamFile" << nl
        << "{" << nl
        << "    version     2.0;" << nl
        << "    format      ascii;" << nl
        << "    class       dictionary;" << nl
        << "    object      " << name_ << ';' << nl
        << "}" << nl;
    for (const row& r : rows_) print(os, r);
    os << flush;
}


bool Foam::documentedDict::printIfAsked(int argc, char* argv[]) const
{
    argList::addBoolOption
    (
        helpOption.c_str(),
        "Print system/" + name_ + " with all entries, explained, and end"
    );
    if (std::find(argv + 1, argv + argc, "-" + helpOption) == argv + argc)
    {
        return false;
    }
    print(Sout);
    if (!std::cout.flush())
    {
        FatalErrorInFunction
            << name_ << " cannot be written to the standard output"
            << exit(FatalError);
    }
    return true;
}
