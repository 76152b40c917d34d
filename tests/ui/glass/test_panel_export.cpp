// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/glass_scene.h"
#include "tests/support/settle.h"
#include "tests/support/small_disk.h"
#include "ui/glass/batch_timeline_panel.h"
#include "ui/glass/block_map_panel.h"
#include "ui/glass/export_button.h"
#include "ui/glass/glass_colors.h"
#include "ui/glass/panel_export.h"
#include "ui/glass/throughput_panel.h"
#include "ui/theme/theme.h"

#include <QImage>
#include <QMenu>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include <algorithm>

using namespace vitrine;
using namespace vitrine::ui;
using namespace vitrine::test;

namespace {

void show(QWidget& panel)
{
    panel.resize(700, 500);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    settle(std::chrono::milliseconds(200));
}

/// Elements by name; empty where it is no XML.
QMap<QString, int> elements(const QByteArray& svg)
{
    QMap<QString, int> counts;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement)
            ++counts[reader.name().toString()];
    return reader.hasError() ? QMap<QString, int>() : counts;
}

} // namespace

class TestPanelExport : public QObject {
    Q_OBJECT
private slots:
    void theButtonCanBeSeenAlsoAfterAnotherTheme()
    {
        QWidget panel;
        auto* button = new ExportButton(&panel, QStringLiteral("panel"), {});
        button->setParent(&panel);
        for (const auto choice : {ThemeChoice::Light, ThemeChoice::Dark, ThemeChoice::Light}) {
            applyTheme(choice, ColorScheme::NoPreference);
            button->resize(button->sizeHint());
            const QImage image = button->grab().toImage();
            const QColor ground = image.pixelColor(1, 1);
            double most = 1;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    most = std::max(most, contrast(image.pixelColor(x, y), ground));
            QVERIFY2(most >= 4.5, qPrintable(QString::number(most)));
        }
    }

    void aPictureIsThePanelTwiceAsFine()
    {
        GlassScene scene(SceneKind::Pressure);
        BatchTimelinePanel panel(&scene.glass());
        show(panel);
        const QImage picture = QImage::fromData(toPng(panel), "PNG");
        QCOMPARE(picture.size(), panel.size() * 2);
        const QImage screen = panel.grab().toImage();
        int alike = 0;
        for (int y = 0; y < screen.height(); y += 7)
            for (int x = 0; x < screen.width(); x += 7)
                alike += screen.pixel(x, y) == picture.pixel(2 * x, 2 * y);
        QVERIFY(alike > (screen.height() / 7) * (screen.width() / 7) * 8 / 10);
    }

    void aDrawingIsMadeOfShapesAndText()
    {
        GlassScene scene(SceneKind::Pressure);
        BatchTimelinePanel timeline(&scene.glass());
        show(timeline);
        const auto drawn = elements(toSvg(timeline));
        QVERIFY(drawn[QStringLiteral("rect")] + drawn[QStringLiteral("path")] > 100);
        QVERIFY(drawn[QStringLiteral("text")] > 10);
        ThroughputPanel throughput(&scene.glass());
        show(throughput);
        const auto charts = elements(toSvg(throughput));
        QVERIFY(charts[QStringLiteral("polyline")] + charts[QStringLiteral("path")] > 10);
        QVERIFY(charts[QStringLiteral("text")] > 10);
    }

    void filesAreWrittenWholeOrNotAtAll()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("table.csv"));
        QVERIFY(writeFile(path, "before").has_value());
        {
            SmallDisk disk(1000);
            const Result<void> full = writeFile(path, QByteArray(5000, 'x'));
            QVERIFY(!full.has_value());
            QCOMPARE(full.error().where, path.toStdString());
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("before"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }

    void whatCannotBeWrittenSaysWhy()
    {
        const Result<void> nowhere = writeFile(QStringLiteral("/nowhere/at/all.csv"), "x");
        QVERIFY(!nowhere.has_value());
        QVERIFY(!nowhere.error().what.empty() && !nowhere.error().advice.empty());
        QVERIFY(!writeFile(QStringLiteral("/proc/version"), "x").has_value());
    }

    void theMenuIsReachedByKeyboardAndHasAName()
    {
        GlassScene scene(SceneKind::TwoChats);
        BatchTimelinePanel timeline(&scene.glass());
        ThroughputPanel throughput(&scene.glass());
        BlockMapPanel blocks(&scene.glass());
        for (QWidget* panel : {static_cast<QWidget*>(&timeline), static_cast<QWidget*>(&throughput),
                               static_cast<QWidget*>(&blocks)}) {
            const auto* button = panel->findChild<ExportButton*>();
            QVERIFY(button);
            QVERIFY(!button->accessibleName().isEmpty() && button->focusPolicy() & Qt::TabFocus);
            QVERIFY(button->menu()->actions().size() >= 3); // picture, drawing, tables
        }
    }
};

QTEST_MAIN(TestPanelExport)
#include "test_panel_export.moc"
