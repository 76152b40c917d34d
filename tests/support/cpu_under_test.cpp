// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/backend_under_test.h"

std::unique_ptr<vitrine::Backend> vitrine::test::backendUnderTest()
{
    return makeCpuBackend(2);
}
