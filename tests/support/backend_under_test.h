// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"

#include <memory>

namespace vitrine::test {

/// That of the one file that a test program is linked with: cpu_under_test.cpp, or a graphics card's. Null:
/// there is no card here.
[[nodiscard]] std::unique_ptr<Backend> backendUnderTest();

} // namespace vitrine::test
