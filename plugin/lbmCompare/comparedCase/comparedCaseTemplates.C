// Part of lbmFoam, GPL-3.0-or-later.

template<class Type>
const Foam::GeometricField<Type, Foam::fvPatchField, Foam::volMesh>&
Foam::comparedCase::field(const word& fieldName) const
{
    typedef GeometricField<Type, fvPatchField, volMesh> fieldType;

    if (const auto* known = mesh_->findObject<fieldType>(fieldName))
    {
        return *known;
    }

    IOobject io
    (
        fieldName,
        time_->timeName(),
        *mesh_,
        IOobject::MUST_READ,
        IOobject::NO_WRITE
    );
    lbmFieldFile::refuseTwo(io);
    if (!io.typeHeaderOk<fieldType>(true))
    {
        FatalErrorInFunction
            << "No " << fieldType::typeName << ' ' << fieldName
            << " in " << io.path() << exit(FatalError);
    }
    auto* read = new fieldType(io, *mesh_);
    return regIOobject::store(read);
}
