// Part of lbmFoam, GPL-3.0-or-later.

template<class Type>
void Foam::fieldNorms::difference
(
    const word& fieldName,
    bool removeMean,
    metrics& out
) const
{
    const auto& fieldA = a_.field<Type>(fieldName);
    const auto& fieldB = b_.field<Type>(fieldName);

    Field<Type> valuesA
    (
        sameMesh_ ? Field<Type>(fieldA.primitiveField()) : sampler_->sample(fieldA)
    );
    Field<Type> valuesB(fieldB.primitiveField());

    if (removeMean)
    {
        const scalar volume = sum(weights_);
        valuesA -= sum(weights_*valuesA)/volume;
        valuesB -= sum(weights_*valuesB)/volume;
    }
    report(fieldName, mag(valuesA - valuesB), mag(valuesB), out);
}
