// Part of lbmFoam, GPL-3.0-or-later.

#include "comparedLine.H"
#include "plugin/lbmCompare/csvTable/csvTable.H"
#include "plugin/lbmCompare/fieldSampler/fieldSampler.H"
#include "OFstream.H"

#include <cmath>
#include <limits>

namespace Foam
{
    static const scalar undefined = std::numeric_limits<scalar>::quiet_NaN();

    //- sqrt(sum (a-b)^2/sum b^2) over the points where both exist
    static scalar relativeL2(const scalarField& a, const scalarField& b)
    {
        scalar error = 0, reference = 0;
        forAll(a, i)
        {
            if (std::isfinite(a[i]) && std::isfinite(b[i]))
            {
                error += sqr(a[i] - b[i]);
                reference += sqr(b[i]);
            }
        }
        return reference > 0 ? ::sqrt(error/reference) : undefined;
    }

    static scalar largestDifference(const scalarField& a, const scalarField& b)
    {
        scalar largest = undefined;
        forAll(a, i)
        {
            const scalar difference = mag(a[i] - b[i]);
            if (std::isfinite(difference) && !(difference <= largest)) largest = difference;
        }
        return largest;
    }

    //- An empty cell where there is no value
    static void writeCell(Ostream& os, const scalar value)
    {
        os << ',';
        if (std::isfinite(value)) os << value;
    }
}

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::label Foam::comparedLine::nPoints() const
{
    const label n = dict_.getOrDefault<label>("nPoints", 200);
    if (n < 2)
    {
        FatalIOErrorInFunction(dict_)
            << "nPoints " << n << ": a line needs at least 2" << exit(FatalIOError);
    }
    return n;
}


Foam::pointField Foam::comparedLine::at(const scalarField& distances) const
{
    const vector along((end_ - start_)/mag(end_ - start_));
    return start_ + distances*along;
}


Foam::scalarField Foam::comparedLine::values
(
    const comparedCase& from,
    const scalarField& distances,
    const word& component
) const
{
    const fieldSampler sampler(from.mesh(), at(distances));
    scalarField result;

    const char last = component.back();
    const word fieldName
    (
        component.starts_with("mag") ? word(component.substr(3))
      : from.fieldClass(component).empty() ? word(component.substr(0, component.size() - 1))
      : component
    );
    const word fieldClass(from.fieldClass(fieldName));

    if (fieldName == component && fieldClass == volScalarField::typeName)
    {
        result = sampler.sample(from.field<scalar>(fieldName));
    }
    else if (fieldClass == volVectorField::typeName && component.starts_with("mag"))
    {
        result = mag(sampler.sample(from.field<vector>(fieldName)));
    }
    else if (fieldClass == volVectorField::typeName && last >= 'x' && last <= 'z')
    {
        result = sampler.sample(from.field<vector>(fieldName)).component(last - 'x');
    }
    else
    {
        FatalIOErrorInFunction(dict_)
            << "Unknown component " << component << " for "
            << from.path()/from.time().timeName() << nl
            << "Valid: a scalar field, or a vector field with x, y, z or a leading mag"
            << exit(FatalIOError);
    }

    forAll(result, i)
    {
        if (sampler.cells()[i] < 0) result[i] = undefined;
    }
    return result;
}


void Foam::comparedLine::writeProfiles(const fileName& folder, metrics& out) const
{
    const label n = nPoints();
    scalarField distances(n);
    forAll(distances, i) distances[i] = mag(end_ - start_)*i/(n - 1);

    OFstream os(folder/(name_ + ".csv"));
    os.precision(9);
    os << "distance,x,y,z";
    PtrList<scalarField> columns(2*components_.size());
    forAll(components_, c)
    {
        const word& component = components_[c];
        os << ",A:" << component.c_str() << ",B:" << component.c_str();
        columns.set(2*c, new scalarField(values(a_, distances, component)));
        columns.set(2*c + 1, new scalarField(values(b_, distances, component)));

        const scalar error = relativeL2(columns[2*c], columns[2*c + 1]);
        out.add("line", name_, component + ".relL2", error);
        Info<< "    " << name_ << ' ' << component << ": relative L2 " << error << nl;
    }
    os << nl;

    const pointField points(at(distances));
    forAll(points, i)
    {
        os << distances[i];
        for (direction d = 0; d < 3; ++d) writeCell(os, points[i][d]);
        for (const scalarField& column : columns) writeCell(os, column[i]);
        os << nl;
    }
}


void Foam::comparedLine::compareData(const fileName& folder, metrics& out) const
{
    const dictionary& data = dict_.subDict("data");
    fileName file(data.get<fileName>("file"));
    file.replace("<case>", a_.path());
    if (!file.isAbsolute()) file = a_.path()/file;

    const word component(data.get<word>("component"));
    const csvTable table(file);
    const scalarField distances
    (
        data.getOrDefault<scalar>("distanceScale", 1)
       *table.column(data.get<word>("distance"))
    );
    const scalarField reference
    (
        data.getOrDefault<scalar>("valueScale", 1)*table.column(data.get<word>("value"))
    );
    const scalarField valuesA(values(a_, distances, component));
    const scalarField valuesB(values(b_, distances, component));

    OFstream os(folder/(name_ + ".data.csv"));
    os.precision(9);
    os << "distance,data:" << component.c_str() << ",A:" << component.c_str()
       << ",B:" << component.c_str() << nl;
    forAll(distances, i)
    {
        os << distances[i];
        writeCell(os, reference[i]);
        writeCell(os, valuesA[i]);
        writeCell(os, valuesB[i]);
        os << nl;
    }

    const scalar errorA = largestDifference(valuesA, reference);
    const scalar errorB = largestDifference(valuesB, reference);
    out.add("line", name_, component + ".data.Linf", errorA);
    out.add("line", name_, component + ".data.Linf.B", errorB);
    Info<< "    " << name_ << ' ' << component << " against " << file.name()
        << " (" << data.get<word>("value") << "): largest difference A " << errorA
        << ", B " << errorB << nl;
}


Foam::scalar Foam::comparedLine::lastZero
(
    const comparedCase& from,
    const word& component
) const
{
    const label n = nPoints();
    scalarField distances(n);
    forAll(distances, i) distances[i] = mag(end_ - start_)*i/(n - 1);
    const scalarField v(values(from, distances, component));

    for (label i = n - 1; i > 0; --i)
    {
        // False for a point outside the mesh
        if (v[i - 1]*v[i] <= 0 && v[i - 1] != v[i])
        {
            return distances[i - 1]
                 + (distances[i] - distances[i - 1])*v[i - 1]/(v[i - 1] - v[i]);
        }
    }
    return undefined;
}


void Foam::comparedLine::findZero(const word& component, metrics& out) const
{
    const scalar zeroA = lastZero(a_, component);
    const scalar zeroB = lastZero(b_, component);
    const scalar relative = mag(zeroA - zeroB)/mag(zeroB);

    out.add("line", name_, component + ".zero.A", zeroA);
    out.add("line", name_, component + ".zero.B", zeroB);
    out.add("line", name_, component + ".zero.relative", relative);
    Info<< "    " << name_ << ' ' << component << " changes sign last at distance: A "
        << zeroA << ", B " << zeroB << " (" << 100*relative << " %)" << nl;
}


// * * * * * * * * * * * * * * * * Constructor * * * * * * * * * * * * * * * //

Foam::comparedLine::comparedLine
(
    const comparedCase& a,
    const comparedCase& b,
    const dictionary& dict
)
:
    a_(a),
    b_(b),
    dict_(dict),
    name_(dict.dictName()),
    start_(dict.get<point>("start")),
    end_(dict.get<point>("end")),
    components_(dict.get<wordList>("components"))
{
    if (mag(end_ - start_) < VSMALL)
    {
        FatalIOErrorInFunction(dict) << "start and end coincide" << exit(FatalIOError);
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::comparedLine::compare(const fileName& folder, metrics& out) const
{
    writeProfiles(folder, out);
    if (dict_.found("data")) compareData(folder, out);
    for (const word& component : dict_.getOrDefault<wordList>("lastZero", wordList()))
    {
        findZero(component, out);
    }
}
