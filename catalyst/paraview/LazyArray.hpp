// LazyArray: values of a field on cells that lbmInsituSource makes: those that GetTuples asks for, or all of them once
// anything else looks at them. Read-only.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/insitu.h"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkGenericDataArray.h>
#include <vtkIdList.h>
#include <vtkObjectFactory.h>

#include <mutex>
#include <vector>

template<class T>
class LazyArray : public vtkGenericDataArray<LazyArray<T>, T> {
    using Generic = vtkGenericDataArray<LazyArray<T>, T>;
    friend class vtkGenericDataArray<LazyArray<T>, T>;

public:
    vtkAbstractTemplateTypeMacro(LazyArray<T>, Generic);
    static LazyArray* New() { VTK_STANDARD_NEW_BODY(LazyArray<T>); }

    void set(const lbmInsituArray& field, const lbmInsituSource& source)
    {
        source_ = source;
        this->SetName(field.name);
        this->NumberOfComponents = field.components;
        this->Size = field.tuples * field.components;
        this->MaxId = this->Size - 1;
    }

    T GetValue(vtkIdType i) const { return all()[i]; }
    T GetTypedComponent(vtkIdType tuple, int c) const { return all()[tuple * this->NumberOfComponents + c]; }
    void GetTypedTuple(vtkIdType tuple, T* values) const
    {
        for (int c = 0; c < this->NumberOfComponents; ++c) values[c] = GetTypedComponent(tuple, c);
    }
    void* GetVoidPointer(vtkIdType i) override { return const_cast<T*>(all()) + i; }

    void SetValue(vtkIdType, T) { refuse(); }
    void SetTypedTuple(vtkIdType, const T*) { refuse(); }
    void SetTypedComponent(vtkIdType, int, T) { refuse(); }

    using Generic::GetTuples;
    void GetTuples(vtkIdList* ids, vtkAbstractArray* output) override
    {
        auto* plain = vtkAOSDataArrayTemplate<T>::FastDownCast(output);
        if (!plain || !values_.empty()) return Generic::GetTuples(ids, output);
        const std::vector<std::int64_t> cells(ids->begin(), ids->end());
        sample(cells.data(), std::int64_t(cells.size()), plain->GetPointer(0));
    }

protected:
    LazyArray() = default;
    ~LazyArray() override = default;

    // What filters make of it holds values of its own
    vtkObjectBase* NewInstanceInternal() const override
    {
        return vtkDataArray::CreateDataArray(Generic::VTK_DATA_TYPE);
    }

    bool AllocateTuples(vtkIdType) { return false; }
    bool ReallocateTuples(vtkIdType) { return false; }

private:
    // Filters may look from several threads
    const T* all() const
    {
        std::call_once(once_, [this] {
            values_.resize(this->Size);
            const_cast<LazyArray*>(this)->sample(nullptr, 0, values_.data());
        });
        return values_.data();
    }
    void sample(const std::int64_t* cells, std::int64_t n, void* values)
    {
        const char* name = this->GetName();
        if (source_.sample(source_.self, &name, 1, cells, n, &values) != 0)
            vtkErrorMacro("field " << name << " cannot be computed");
    }
    void refuse() { vtkErrorMacro("field " << this->GetName() << " is read-only"); }

    lbmInsituSource source_{};
    mutable std::once_flag once_;
    mutable std::vector<T> values_;
};
