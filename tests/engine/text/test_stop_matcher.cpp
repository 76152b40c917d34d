// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/stop_matcher.h"

#include <QtTest>

#include <random>

using namespace vitrine;

namespace {

/// What is shown of `text`, put in piece by piece.
struct Shown {
    std::string text;
    bool stopped;
    friend bool operator==(const Shown&, const Shown&) = default;
};

Shown shown(std::vector<std::string> stops, const std::vector<std::string>& pieces)
{
    StopMatcher matcher(std::move(stops));
    std::string text;
    for (const std::string& piece : pieces)
        text += matcher.append(piece);
    const bool stopped = matcher.stopped();
    return {text + matcher.finish(), stopped};
}

/// The definition: the stop string that is complete first ends the text, of those the longest.
Shown naive(const std::vector<std::string>& stops, const std::string& text)
{
    for (std::size_t end = 1; end <= text.size(); ++end) {
        std::size_t longest = 0;
        for (const std::string& stop : stops) {
            if (!stop.empty() && text.substr(0, end).ends_with(stop))
                longest = std::max(longest, stop.size());
        }
        if (longest > 0)
            return {text.substr(0, end - longest), true};
    }
    return {text, false};
}

} // namespace

class TestStopMatcher : public QObject {
    Q_OBJECT
private slots:
    void textPassesWhereThereIsNothingToStopAt()
    {
        StopMatcher matcher({});
        QCOMPARE(matcher.append("anything"), std::string("anything"));
        QVERIFY(!matcher.stopped());
        StopMatcher empty({""});
        QCOMPARE(empty.append("anything"), std::string("anything"));
        QVERIFY(!empty.stopped());
    }

    void aStopStringSplitOverPiecesNeverShows()
    {
        StopMatcher matcher({"\nUser:"});
        QCOMPARE(matcher.append("Hi.\nU"), std::string("Hi."));
        QCOMPARE(matcher.append("se"), std::string());
        QCOMPARE(matcher.append("r: no"), std::string());
        QVERIFY(matcher.stopped());
        QCOMPARE(matcher.append("more"), std::string());
        QCOMPARE(matcher.finish(), std::string());
    }

    void whatTurnsOutToBeNoStopStringIsShown()
    {
        StopMatcher matcher({"\nUser:"});
        QCOMPARE(matcher.append("\nUse"), std::string());
        QCOMPARE(matcher.append("ful"), std::string("\nUseful"));
        QCOMPARE(matcher.append(" \nUs"), std::string(" "));
        QCOMPARE(matcher.finish(), std::string("\nUs"));
        QVERIFY(!matcher.stopped());
    }

    void aFalseStartMayHoldTheBeginningOfTheRightOne()
    {
        QCOMPARE(shown({"aab"}, {"aaa", "a", "b!"}), (Shown{"aa", true}));
        QCOMPARE(shown({"ababc"}, {"abab", "abc"}), (Shown{"ab", true}));
    }

    void theFirstCompleteOneCountsAndTheLongestOfThose()
    {
        QCOMPARE(shown({"end", "the end"}, {"this is the end."}), (Shown{"this is ", true}));
        QCOMPARE(shown({"abcd", "bc"}, {"abcd"}), (Shown{"a", true}));
    }

    void charactersStayWhole()
    {
        StopMatcher matcher({"é"});
        QCOMPARE(matcher.append("caf"), std::string("caf"));
        QCOMPARE(matcher.append("è"), std::string("è")); // shares its first byte with é
        QCOMPARE(matcher.append("é"), std::string());
        QVERIFY(matcher.stopped());
    }

    void agreesWithTheDefinition()
    {
        std::mt19937 random(5);
        const auto word = [&](std::size_t longest) {
            std::string text;
            for (std::size_t n = random() % (longest + 1); n > 0; --n)
                text += static_cast<char>('a' + random() % 2);
            return text;
        };
        for (int run = 0; run < 3000; ++run) {
            std::vector<std::string> stops;
            for (std::size_t n = 1 + random() % 3; n > 0; --n)
                stops.push_back(word(5) + "a");
            std::vector<std::string> pieces;
            std::string text;
            for (std::size_t n = random() % 8; n > 0; --n)
                text += pieces.emplace_back(word(4));
            QCOMPARE(shown(stops, pieces), naive(stops, text));
        }
    }

    /// Quadratic time would be some hours: ctest would end it.
    void longStopStringsTakeNoQuadraticTime()
    {
        std::string stop(2'000'000, 'a');
        stop.back() = 'b';
        QCOMPARE(shown({stop}, {std::string(8'000'000, 'a')}), (Shown{std::string(8'000'000, 'a'), false}));
    }
};

QTEST_APPLESS_MAIN(TestStopMatcher)
#include "test_stop_matcher.moc"
