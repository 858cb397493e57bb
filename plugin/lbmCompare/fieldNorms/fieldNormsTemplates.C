// Part of lbmFoam, GPL-3.0-or-later.

template<class Type>
Foam::Field<Type> Foam::fieldNorms::valuesOfA(const word& fieldName) const
{
    const auto& field = a_.field<Type>(fieldName);
    if (sampler_) return sampler_->sample(field);
    if (averager_ && !onA_) return averager_->average(field.primitiveField());
    return field.primitiveField();
}


template<class Type>
Foam::Field<Type> Foam::fieldNorms::valuesOfB(const word& fieldName) const
{
    const auto& field = b_.field<Type>(fieldName);
    if (averager_ && onA_) return averager_->average(field.primitiveField());
    return field.primitiveField();
}


template<class Type>
void Foam::fieldNorms::difference
(
    const word& fieldName,
    bool removeMean,
    metrics& out
) const
{
    Field<Type> valuesA(valuesOfA<Type>(fieldName));
    Field<Type> valuesB(valuesOfB<Type>(fieldName));

    if (removeMean)
    {
        const scalar volume = sum(weights_);
        valuesA -= sum(weights_*valuesA)/volume;
        valuesB -= sum(weights_*valuesB)/volume;
    }
    report(fieldName, mag(valuesA - valuesB), mag(valuesB), out);
}
