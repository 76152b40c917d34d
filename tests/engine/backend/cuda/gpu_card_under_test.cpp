// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/card.h"
#include "tests/support/backend_under_test.h"

std::unique_ptr<vitrine::Backend> vitrine::test::backendUnderTest()
{
    auto card = openCard();
    return card ? std::move(*card) : nullptr;
}
