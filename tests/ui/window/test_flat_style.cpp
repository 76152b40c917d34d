// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "ui/glass/glass_colors.h"
#include "ui/theme/flat_style.h"
#include "ui/theme/theme.h"

#include <QScrollBar>
#include <QStyleOptionSlider>

#include <set>

using namespace vitrine::ui;

namespace {

struct ShownBar : QScrollBar {
    explicit ShownBar(const QPalette& palette)
    {
        setStyle(&style);
        setPalette(palette);
        setRange(0, 100);
        setPageStep(50);
        resize(16, 300);
    }

    [[nodiscard]] QRect part(QStyle::SubControl control) const
    {
        QStyleOptionSlider option;
        initStyleOption(&option);
        return style.subControlRect(QStyle::CC_ScrollBar, &option, control, this);
    }

    FlatStyle style;
};

} // namespace

class TestFlatStyle : public QObject {
    Q_OBJECT
private slots:
    void init() { vitrine::test::failOnQtWarnings(); }

    /// Colours that shine through, and gradients, are what Qt starts threads for.
    void aScrollBarHasTwoPlainColours()
    {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            ShownBar bar(palette);
            const QImage image = bar.grab().toImage();
            const QRect slider = bar.part(QStyle::SC_ScrollBarSlider),
                        groove = bar.part(QStyle::SC_ScrollBarGroove);
            std::set<QRgb> colors;
            for (int y = groove.top(); y <= groove.bottom(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    colors.insert(image.pixel(x, y));
            QCOMPARE(colors.size(), std::size_t{2});
            QVERIFY(contrast(image.pixelColor(slider.center()),
                             image.pixelColor({slider.center().x(), groove.bottom()})) >= 3);
        }
    }

    void theSliderStandsWhereTheValueIs()
    {
        ShownBar bar(lightPalette());
        const int top = bar.part(QStyle::SC_ScrollBarSlider).top();
        bar.setValue(100);
        const QRect moved = bar.part(QStyle::SC_ScrollBarSlider);
        QVERIFY(moved.top() > top);
        const QImage image = bar.grab().toImage();
        QVERIFY(image.pixelColor(moved.center()) != image.pixelColor({moved.center().x(), top}));
    }

    void whatCannotBeScrolledHasNoSlider()
    {
        ShownBar bar(lightPalette());
        bar.setRange(0, 0);
        const QImage image = bar.grab().toImage();
        const QRect groove = bar.part(QStyle::SC_ScrollBarGroove);
        QCOMPARE(image.pixel(groove.center()), image.pixel(1, groove.center().y()));
    }
};

VITRINE_GUI_TEST_MAIN(TestFlatStyle)
#include "test_flat_style.moc"
