// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/free_queue.h"
#include "tests/support/property.h"

#include <QtTest>

#include <algorithm>
#include <list>

using namespace vitrine;

class TestFreeQueue : public QObject {
    Q_OBJECT
private slots:
    void startsEmpty()
    {
        const FreeQueue queue(11);
        QVERIFY(queue.empty());
        QCOMPARE(queue.front(), kNullBlock);
        QCOMPARE(queue.back(), kNullBlock);
    }

    void leavesTheMiddleInPlace()
    {
        FreeQueue queue(11);
        for (std::uint32_t i = 1; i <= 5; ++i)
            queue.pushBack(BlockId{i});
        queue.remove(BlockId{3});
        queue.pushFront(BlockId{9});
        QVERIFY(!queue.contains(BlockId{3}));
        QCOMPARE(queue.toVector(),
                 (std::vector<BlockId>{BlockId{9}, BlockId{1}, BlockId{2}, BlockId{4}, BlockId{5}}));
    }

    /// Against the list of the standard library.
    void keepsItsOrderUnderAnyOperations()
    {
        QVERIFY(test::holds("free queue", 200, 200,
                            [](const std::vector<std::pair<bool, std::uint8_t>>& toggles) {
                                FreeQueue queue(11);
                                std::list<BlockId> model;
                                for (const auto& [front, number] : toggles) {
                                    const BlockId id{1u + number % 10u};
                                    if (queue.contains(id)) {
                                        queue.remove(id);
                                        model.remove(id);
                                    } else if (front) {
                                        queue.pushFront(id);
                                        model.push_front(id);
                                    } else {
                                        queue.pushBack(id);
                                        model.push_back(id);
                                    }
                                    RC_ASSERT(std::ranges::equal(queue.toVector(), model));
                                    RC_ASSERT(queue.size() == std::int32_t(model.size()));
                                }
                            }));
    }
};

QTEST_APPLESS_MAIN(TestFreeQueue)
#include "test_free_queue.moc"
