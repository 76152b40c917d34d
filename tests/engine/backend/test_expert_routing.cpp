// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/expert_routing.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace vitrine;

class ExpertRoutingTest : public QObject {
    Q_OBJECT
private slots:
    void aTokenGoesToItsLikeliestExperts();
    void weightsAddUpToOneOrAreShares();
    void equalAndBrokenLogitsStillChooseSomebody();
};

void ExpertRoutingTest::aTokenGoesToItsLikeliestExperts()
{
    ExpertRouting routing;
    const std::vector<float> logits{1, 5, 3, 2, /**/ 4, 0, 9, 8, /**/ 7, 1, 2, 6};
    routing.choose(logits, {.count = 4, .used = 2, .normalizeWeights = true});
    const auto rowsOf = [&](std::size_t expert) {
        std::vector<std::size_t> rows;
        for (const ExpertRouting::Visit& visit : routing.visitsOf(expert))
            rows.push_back(visit.row);
        return rows;
    };
    QCOMPARE(rowsOf(0), std::vector<std::size_t>{2});
    QCOMPARE(rowsOf(1), std::vector<std::size_t>{0});
    QCOMPARE(rowsOf(2), (std::vector<std::size_t>{0, 1}));
    QCOMPARE(rowsOf(3), (std::vector<std::size_t>{1, 2}));
    routing.choose(std::span(logits).first(4), {.count = 4, .used = 1, .normalizeWeights = true});
    QCOMPARE(rowsOf(1), std::vector<std::size_t>{0});
    QVERIFY(rowsOf(2).empty()); // those of the pass before are forgotten
}

void ExpertRoutingTest::weightsAddUpToOneOrAreShares()
{
    ExpertRouting routing;
    const std::vector<float> logits{std::log(1.0F), std::log(4.0F), std::log(3.0F), std::log(2.0F)};
    routing.choose(logits, {.count = 4, .used = 2, .normalizeWeights = true});
    QVERIFY(std::abs(routing.visitsOf(1).front().weight - 4.0F / 7) < 1e-6F);
    QVERIFY(std::abs(routing.visitsOf(2).front().weight - 3.0F / 7) < 1e-6F);
    routing.choose(logits, {.count = 4, .used = 2, .normalizeWeights = false});
    QVERIFY(std::abs(routing.visitsOf(1).front().weight - 0.4F) < 1e-6F);
    QVERIFY(std::abs(routing.visitsOf(2).front().weight - 0.3F) < 1e-6F);
}

void ExpertRoutingTest::equalAndBrokenLogitsStillChooseSomebody()
{
    ExpertRouting routing;
    routing.choose(std::vector<float>(4, 2.0F), {.count = 4, .used = 3, .normalizeWeights = true});
    QCOMPARE(routing.visitsOf(2).size(), std::size_t{1});
    QCOMPARE(routing.visitsOf(3).size(), std::size_t{0}); // the first among equals
    routing.choose(std::vector<float>(4, std::numeric_limits<float>::quiet_NaN()),
                   {.count = 4, .used = 4, .normalizeWeights = true});
    for (std::size_t expert = 0; expert < 4; ++expert)
        QCOMPARE(routing.visitsOf(expert).size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(ExpertRoutingTest)
#include "test_expert_routing.moc"
