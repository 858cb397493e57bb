// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmConditions.H"
#include "advectiveFvPatchFields.H"
#include "StringStream.H"
#include "Time.H"

namespace
{

using namespace Foam;

// Seventeen digits tell every two numbers apart
const unsigned exactDigits = 17;

std::string conditionsOf(const word& field) { return field + ".conditions"; }


template<class Field>
std::string text
(
    const Field& field,
    const IOstream::streamFormat format,
    const unsigned digits
)
{
    OStringStream os(format);
    os.precision(digits);
    field.boundaryField().writeEntry("boundaryField", os);
    return os.str();
}


dictionary parsed(const std::string& text, const IOstream::streamFormat format)
{
    IStringStream is(text, format);
    return dictionary(is);
}


// Of the entries in the order of their names: a program that does not know a
// condition, such as reconstructPar one of wall functions, writes its entries
// in an order of its own
dictionary sorted(const dictionary& content)
{
    dictionary result;
    for (const word& name : content.sortedToc())
    {
        if (content.isDict(name))
        {
            result.add(name, sorted(content.subDict(name)));
            continue;
        }
        result.add(name, content.lookupEntry(name, keyType::LITERAL).stream());
    }
    return result;
}


std::string digestInOrder(const dictionary& content)
{
    return content.subDict("boundaryField").digest().str();
}


std::string digestOf(const dictionary& content)
{
    return sorted(content.subDict("boundaryField")).digest().str();
}


template<class Field>
void noteConditions(const Field& field, lbm::CheckpointNotes& notes)
{
    notes.texts[conditionsOf(field.name())] =
        text(field, IOstream::BINARY, exactDigits);

    const IOstream::streamFormat format = field.time().writeFormat();
    notes.texts[field.name() + ".digest"] = digestOf
    (
        parsed(text(field, format, IOstream::defaultPrecision()), format)
    );
}


template<class Type>
void keep(const GeometricField<Type, fvPatchField, volMesh>& field)
{
    for (const fvPatchField<Type>& patch : field.boundaryField())
    {
        if (isA<advectiveFvPatchField<Type>>(patch))
        {
            field.oldTime();
            return;
        }
    }
}

} // End anonymous namespace


void Foam::lbmConditions::note
(
    const volVectorField& field,
    lbm::CheckpointNotes& notes
)
{
    noteConditions(field, notes);
}


void Foam::lbmConditions::note
(
    const volScalarField& field,
    lbm::CheckpointNotes& notes
)
{
    noteConditions(field, notes);
}


bool Foam::lbmConditions::noted
(
    const word& field,
    const lbm::CheckpointNotes& notes
)
{
    return notes.texts.count(conditionsOf(field));
}


bool Foam::lbmConditions::recall
(
    const word& field,
    const lbm::CheckpointNotes& notes,
    dictionary& content
)
{
    // Older checkpoints have the digest of entries in the file's order
    const std::string& noted = notes.texts.at(field + ".digest");
    if (noted != digestOf(content) && noted != digestInOrder(content))
    {
        return false;
    }
    const dictionary exact
    (
        parsed(notes.texts.at(conditionsOf(field)), IOstream::BINARY)
    );
    content.set("boundaryField", exact.subDict("boundaryField"));
    return true;
}


void Foam::lbmConditions::keepPresent(const volVectorField& U)
{
    keep(U);
}


void Foam::lbmConditions::keepPresent(const volScalarField& p)
{
    keep(p);
}
