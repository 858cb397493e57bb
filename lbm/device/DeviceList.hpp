// DeviceList: words of several devices, "cuda:0,1" or "cuda:all", one by one. Knows no device: is tested where there is none.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <string>
#include <vector>

namespace lbm {

// Each as cuda::Device takes it. present: how many there are, of which `all` are meant. Throws std::invalid_argument for a list
// that names nothing somewhere, and for `all` among others.
std::vector<std::string> devicesIn(const std::string& word, int present);

// Whether it depends on how many there are.
bool namesAllDevices(const std::string& word);

// Which of so many devices a part is on: parts that follow each other share one.
int deviceOfPart(int part, int parts, int devices);

} // namespace lbm
