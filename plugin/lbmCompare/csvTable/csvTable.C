// Part of lbmFoam, GPL-3.0-or-later.

#include "csvTable.H"
#include "IFstream.H"
#include "OSspecific.H"
#include "stringOps.H"

Foam::csvTable::csvTable(const fileName& file)
:
    file_(file)
{
    if (!isFile(file))
    {
        FatalErrorInFunction << "No file " << file << exit(FatalError);
    }
    IFstream is(file);
    string line;
    label lineNumber = 0;
    while (is.good())
    {
        is.getLine(line);
        ++lineNumber;
        line = stringOps::trim(line);
        if (line.empty() || line[0] == '#') continue;

        const auto cells = stringOps::split(line, ',');
        if (titles_.empty())
        {
            for (const auto& cell : cells) titles_.append(word::validate(cell.str()));
            columns_.resize(titles_.size());
            continue;
        }
        label i = 0;
        scalar value = 0;
        for (const auto& cell : cells)
        {
            if (i >= columns_.size() || !readScalar(cell.str(), value)) { i = -1; break; }
            columns_[i++].append(value);
        }
        if (i != columns_.size())
        {
            FatalErrorInFunction
                << file << ", line " << lineNumber << ": expected "
                << columns_.size() << " numbers, found '" << line << "'"
                << exit(FatalError);
        }
    }
}


Foam::scalarField Foam::csvTable::column(const word& title) const
{
    const label i = titles_.find(title);
    if (i < 0)
    {
        FatalErrorInFunction
            << file_ << " has no column " << title << "; it has "
            << flatOutput(titles_) << exit(FatalError);
    }
    return scalarField(columns_[i]);
}
