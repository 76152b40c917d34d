// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cache/prefix_index.h"
#include "tests/support/property.h"

#include <QtTest>

#include <unordered_map>

using namespace vitrine;

namespace {

/// Hashes that fall on few homes, so that runs of entries collide, wrap around and are closed again.
std::uint64_t crowdedHash(std::uint8_t number)
{
    return number % 5u + (std::uint64_t(number / 5u) << 40);
}

} // namespace

class TestPrefixIndex : public QObject {
    Q_OBJECT
private slots:
    void findsNothingBeforeAnythingIsPut()
    {
        const PrefixIndex index;
        QCOMPARE(index.find(42), kNullBlock);
        QCOMPARE(index.size(), 0);
    }

    void theNewestBlockOfAHashWins()
    {
        PrefixIndex index(4);
        index.assign(42, BlockId{1});
        index.assign(42, BlockId{2});
        QCOMPARE(index.find(42), BlockId{2});
        QCOMPARE(index.size(), 1);
    }

    void agreesWithAMapUnderAnyOperations()
    {
        QVERIFY(test::holds("prefix index", 300, 200, [](const std::vector<std::uint8_t>& toggles) {
            PrefixIndex index(40);
            std::unordered_map<std::uint64_t, BlockId> model;
            for (const std::uint8_t number : toggles) {
                const std::uint64_t hash = crowdedHash(number);
                if (model.erase(hash) > 0) {
                    index.erase(hash);
                } else if (model.size() < 40) {
                    model[hash] = BlockId{1u + number};
                    index.assign(hash, BlockId{1u + number});
                }
                for (int i = 0; i < 256; ++i) {
                    const auto found = model.find(crowdedHash(std::uint8_t(i)));
                    const BlockId expected = found == model.end() ? kNullBlock : found->second;
                    RC_ASSERT(index.find(crowdedHash(std::uint8_t(i))) == expected);
                }
            }
        }));
    }
};

QTEST_APPLESS_MAIN(TestPrefixIndex)
#include "test_prefix_index.moc"
