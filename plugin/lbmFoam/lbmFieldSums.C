// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFieldSums.H"
#include "ITstream.H"
#include "Time.H"

namespace
{

using namespace Foam;

const label blockSize = 32;

// Binary files hold all bits, but for what is the same everywhere: that is text
const scalar binaryDigits = 17;

std::string nameOf(const word& field) { return field + ".sums"; }
std::string digitsOf(const word& field) { return field + ".digits"; }

// Of blocks of values: sums, and sums of magnitudes
struct sums
{
    std::vector<double> values, magnitudes;
};


// at(i): the i-th of n values
template<class Type, class At>
sums sumUp(const label n, const At& at)
{
    const direction components = pTraits<Type>::nComponents;
    sums result;
    for (label first = 0; first < n; first += blockSize)
    {
        for (direction c = 0; c < components; ++c)
        {
            double value = 0, magnitude = 0;
            for (label i = first; i < min(n, first + blockSize); ++i)
            {
                const scalar x = component(at(i), c);
                value += x;
                magnitude += mag(x);
            }
            result.values.push_back(value);
            result.magnitudes.push_back(magnitude);
        }
    }
    return result;
}


template<class Type>
void noteField
(
    const GeometricField<Type, fvPatchField, volMesh>& field,
    lbm::CheckpointNotes& notes
)
{
    const Field<Type>& values = field.primitiveField();
    notes.arrays[nameOf(field.name())] = sumUp<Type>
    (
        values.size(), [&](const label i) { return values[i]; }
    ).values;
    notes.numbers[digitsOf(field.name())] =
        field.time().writeFormat() == IOstream::BINARY && !values.uniform()
      ? binaryDigits : scalar(IOstream::defaultPrecision());
}


// The list stays where it is: the field is yet to be made from it
template<class Type>
bool sumFile(const dictionary& content, const label cells, sums& result)
{
    const ITstream& is = content.lookup("internalField");
    if (is.size() < 2 || !is[0].isWord()) return false;

    const token& values = is[1];
    if (is[0].wordToken() == "nonuniform")
    {
        using list = token::Compound<List<Type>>;
        if (!values.isCompound()) return false;
        const auto* all = dynamic_cast<const list*>(&values.compoundToken());
        if (!all || all->size() != cells) return false;
        result = sumUp<Type>(cells, [&](const label i) { return (*all)[i]; });
        return true;
    }
    const Field<Type> uniform("internalField", content, cells);
    result = sumUp<Type>(cells, [&](const label i) { return uniform[i]; });
    return true;
}


bool fits
(
    const sums& file,
    const std::vector<double>& noted,
    const scalar digits
)
{
    if (file.values.size() != noted.size()) return false;
    const scalar rounding = 0.51*std::pow(10.0, 1 - digits) + 1e-14*blockSize;
    for (std::size_t i = 0; i < noted.size(); ++i)
    {
        const scalar allowed = rounding*file.magnitudes[i] + VSMALL;
        if (!(mag(file.values[i] - noted[i]) <= allowed)) return false;
    }
    return true;
}

} // End anonymous namespace


void Foam::lbmFieldSums::note
(
    const volVectorField& field,
    lbm::CheckpointNotes& notes
)
{
    noteField(field, notes);
}


void Foam::lbmFieldSums::note
(
    const volScalarField& field,
    lbm::CheckpointNotes& notes
)
{
    noteField(field, notes);
}


bool Foam::lbmFieldSums::unchanged
(
    const word& field,
    const dictionary& content,
    const label cells,
    const lbm::CheckpointNotes& notes
)
{
    const auto noted = notes.arrays.find(nameOf(field));
    const auto digits = notes.numbers.find(digitsOf(field));
    if (noted == notes.arrays.end() || digits == notes.numbers.end())
    {
        return false;
    }
    sums file;
    const bool read = field == "U" || field == "Urel"
      ? sumFile<vector>(content, cells, file)
      : sumFile<scalar>(content, cells, file);
    return read && fits(file, noted->second, digits->second);
}
