// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/glass_selection.h"
#include "ui/models/sequence_directory.h"

#include <QSignalSpy>
#include <QtTest>

using namespace vitrine;
using namespace vitrine::ui;

class TestGlassSelection : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        m_directory.describeChat({7, QStringLiteral("seven"), 0});
        m_directory.describeChat({8, QStringLiteral("eight"), 1});
        m_directory.assign(SequenceId{1}, 7);
        m_directory.assign(SequenceId{2}, 8);
        m_directory.assign(SequenceId{3}, 7);
    }

    void aSequenceBringsItsChat()
    {
        GlassSelection selection(&m_directory);
        QSignalSpy changed(&selection, &GlassSelection::changed);
        selection.selectSequence(SequenceId{3});
        QCOMPARE(selection.chat(), qint64{7});
        QVERIFY(selection.includes(SequenceId{3}) && !selection.includes(SequenceId{1}));
        selection.selectSequence(SequenceId{3});
        QCOMPARE(changed.count(), 1);
    }

    void theRailsAnswerKeepsTheSequence()
    {
        GlassSelection selection(&m_directory);
        selection.selectSequence(SequenceId{3});
        selection.selectChat(7); // the rail follows and says so
        QCOMPARE(selection.sequence(), SequenceId{3});
        selection.selectChat(8);
        QCOMPARE(selection.sequence(), SequenceId{});
        QVERIFY(selection.includes(SequenceId{2}) && !selection.includes(SequenceId{3}));
        selection.selectChat(7);
        QVERIFY(selection.includes(SequenceId{1}) && selection.includes(SequenceId{3}));
    }

    void aSequenceOfNoChatIsChosenAlone()
    {
        GlassSelection selection(&m_directory);
        QVERIFY(!selection.includes(SequenceId{9}));
        selection.selectSequence(SequenceId{9});
        QCOMPARE(selection.chat(), qint64{0});
        QVERIFY(selection.includes(SequenceId{9}) && !selection.includes(SequenceId{1}));
    }

    void blocksAreMarkedUntilCleared()
    {
        GlassSelection selection(&m_directory);
        QSignalSpy changed(&selection, &GlassSelection::changed);
        selection.setBlocks({BlockId{4}, BlockId{5}});
        selection.setBlocks({BlockId{4}, BlockId{5}});
        QCOMPARE(changed.count(), 1);
        selection.selectChat(7);
        QCOMPARE(selection.blocks().size(), std::size_t{2});
        selection.clear();
        QVERIFY(selection.blocks().empty() && selection.chat() == 0);
    }

private:
    SequenceDirectory m_directory;
};

QTEST_GUILESS_MAIN(TestGlassSelection)
#include "test_glass_selection.moc"
