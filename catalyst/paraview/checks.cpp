// Part of lbmFoam, GPL-3.0-or-later.
#include "checks.hpp"

#include <vtkPVDataInformation.h>
#include <vtkSMArrayListDomain.h>
#include <vtkSMExtractsController.h>
#include <vtkSMOutputPort.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMPropertyIterator.h>
#include <vtkSMProxy.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSessionProxyManager.h>
#include <vtkSMSourceProxy.h>
#include <vtkSMStringVectorProperty.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>

namespace {

// What has no cells, as an isosurface at the start of a flow, need not have arrays
bool inputIsEmpty(vtkSMProxy* proxy)
{
    vtkSMPropertyHelper input(proxy, "Input", true);
    auto* source = vtkSMSourceProxy::SafeDownCast(input.GetNumberOfElements() ? input.GetAsProxy() : nullptr);
    return !source || source->GetDataInformation(input.GetOutputPort())->GetNumberOfCells() == 0;
}

// A domain without any entry counts everything as its own
bool offers(vtkSMArrayListDomain* domain, const std::string& array)
{
    unsigned index = 0;
    return domain->GetNumberOfStrings() > 0 && domain->IsInDomain(array.c_str(), index);
}

// The name is the last element, before it where one is given stands the kind of data
void check(vtkSMProxy* proxy, vtkSMProperty* property, std::string& text)
{
    auto* strings = vtkSMStringVectorProperty::SafeDownCast(property);
    if (!strings || strings->GetRepeatCommand() || strings->GetNumberOfElements() == 0 || property->IsValueDefault())
        return;
    auto* domain = strings->FindDomain<vtkSMArrayListDomain>();
    if (!domain) return;
    const char* last = strings->GetElement(strings->GetNumberOfElements() - 1);
    const std::string array = last ? last : "";
    if (array.empty() || array == "None") return;
    domain->Update(property);
    if (offers(domain, array) || inputIsEmpty(proxy)) return;
    text += (text.empty() ? "" : "\n") + std::string(proxy->GetXMLLabel()) + ": no array '" + array + "' for "
        + property->GetXMLLabel();
}

} // namespace

std::string unfitExtractors()
{
    std::string text;
    auto* manager = vtkSMProxyManager::GetProxyManager()->GetActiveSessionProxyManager();
    vtkNew<vtkSMExtractsController> extracts;
    const char* const group = "extractors";
    for (unsigned i = 0; i < manager->GetNumberOfProxies(group); ++i) {
        const char* name = manager->GetProxyName(group, i);
        vtkSMProxy* extractor = manager->GetProxy(group, name);
        vtkSMProxy* input = extracts->GetInputForExtractor(extractor);
        if (extracts->CanExtract(extractor, input)) continue;
        // Of some filters the kind of data is known once they have run
        if (auto* port = vtkSMOutputPort::SafeDownCast(input)) port->GetSourceProxy()->UpdatePipeline();
        if (extracts->CanExtract(extractor, input)) continue;
        text += (text.empty() ? "" : "\n") + std::string("extractor ") + name
            + " cannot write this kind of data (VTU, VTP, CSV can; VTPC where GroupDatasets comes before it)";
    }
    return text;
}

std::string missingArrays()
{
    std::string text;
    auto* manager = vtkSMProxyManager::GetProxyManager()->GetActiveSessionProxyManager();
    for (const char* group : {"sources", "representations"}) {
        for (unsigned i = 0; i < manager->GetNumberOfProxies(group); ++i) {
            vtkSMProxy* proxy = manager->GetProxy(group, manager->GetProxyName(group, i));
            const auto properties = vtkSmartPointer<vtkSMPropertyIterator>::Take(proxy->NewPropertyIterator());
            for (properties->Begin(); !properties->IsAtEnd(); properties->Next())
                check(proxy, properties->GetProperty(), text);
        }
    }
    return text;
}
