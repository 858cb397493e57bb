// Part of lbmFoam, GPL-3.0-or-later.
#include <vtkPython.h> // before any other header

#include "Failures.hpp"

#include <vtkLogger.h>
#include <vtkPythonInterpreter.h>

#include <iostream>
#include <string_view>

namespace {

const char* const listener = "lbmFoam";

// A client of live data that goes away while they are sent: its sockets report it, the link closes, the run goes on
bool ofClient(const vtkLogger::Message& message)
{
    const std::string_view text = message.message;
    for (const std::string_view reporter : {"vtkClientSocket ", "vtkSocketCommunicator "})
        if (text.substr(0, reporter.size()) == reporter) return true;
    return false;
}

void note(void* failures, const vtkLogger::Message& message)
{
    if (message.verbosity <= vtkLogger::VERBOSITY_ERROR && !ofClient(message))
        static_cast<Failures*>(failures)->add(message.message);
    else std::cerr << message.message << std::endl;
}

} // namespace

Failures::Failures() { vtkLogger::AddCallback(listener, &note, this, vtkLogger::VERBOSITY_INFO); }

Failures::~Failures() { vtkLogger::RemoveCallback(listener); }

void Failures::add(const std::string& line)
{
    if (!text_.empty()) text_ += '\n';
    text_ += line;
}

std::string lastException()
{
    vtkPythonScopeGilEnsurer gil;
    PyObject* value = PySys_GetObject("last_value"); // borrowed
    if (!value) return {};
    PyObject* text = PyObject_Str(value);
    const char* characters = text ? PyUnicode_AsUTF8(text) : nullptr;
    const std::string result = std::string(Py_TYPE(value)->tp_name) + ": " + (characters ? characters : "");
    Py_XDECREF(text);
    PySys_SetObject("last_value", nullptr);
    return result;
}
