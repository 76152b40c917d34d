// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <string>

namespace vitrine::kernels::cuda {

/// Why this file is no library that the program can load: it is not there, is no regular file (a pipe would
/// be waited for), is for another machine, or was cut off (the loader maps such a file all the same, and the
/// program ends by a signal where the missing part is read). Empty: its headers and their lengths are right.
[[nodiscard]] std::string faultOf(const std::filesystem::path& library);

} // namespace vitrine::kernels::cuda
