// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/transport_bar.h"

#include "ui/glass/refresh_gate.h"
#include "ui/models/batch_history.h"
#include "ui/models/glass_model.h"
#include "ui/models/number_text.h"
#include "ui/models/playback.h"
#include "ui/theme/icons.h"
#include "ui/theme/steady_label.h"
#include "ui/theme/theme.h"
#include "ui/window/step_slider.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace vitrine::ui {

namespace {

constexpr double kSpeeds[] = {0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 100};

/// "12.3 s", "1:02:03".
QString duration(double seconds)
{
    if (seconds < 60)
        return TransportBar::tr("%1 s").arg(QLocale().toString(seconds, 'f', 1));
    const auto whole = static_cast<qint64>(seconds);
    const QString tail = QStringLiteral("%1:%2")
                             .arg(whole / 60 % 60, whole >= 3600 ? 2 : 1, 10, QLatin1Char('0'))
                             .arg(whole % 60, 2, 10, QLatin1Char('0'));
    return whole >= 3600 ? QStringLiteral("%1:%2").arg(whole / 3600).arg(tail) : tail;
}

} // namespace

TransportBar::TransportBar(GlassModel& glass, Beside beside, QWidget* parent)
    : QWidget(parent)
    , m_glass(glass)
    , m_beside(beside)
    , m_playback(new Playback(glass, this))
    , m_slider(new StepSlider)
    , m_state(new SteadyLabel)
    , m_speed(new QComboBox)
{
    createActions();
    createSpeeds();
    layOut();
    connect(m_slider, &QSlider::valueChanged, this, &TransportBar::moveTo);
    connect(m_playback, &Playback::changed, this, &TransportBar::refreshPlay);
    auto* gate = new RefreshGate(this, kChartInterval, [this] { refresh(); });
    connect(&glass, &GlassModel::changed, gate, &RefreshGate::request);
    connect(&glass, &GlassModel::cursorChanged, gate, &RefreshGate::requestNow);
    connect(&glass, &GlassModel::poolReplaced, gate, &RefreshGate::requestNow);
    refresh();
    refreshPlay();
}

QAction* TransportBar::addAction(const QString& icon, const QString& text, const QKeySequence& key,
                                 const QString& tip)
{
    auto* action = new QAction(themedIcon(icon), text, this);
    action->setShortcut(key);
    action->setToolTip(tr("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
    QWidget::addAction(action);
    return action;
}

void TransportBar::createActions()
{
    const bool replay = m_beside == Beside::Nothing;
    m_start = addAction(QStringLiteral("to-start"), tr("To the star&t"), Qt::SHIFT | Qt::Key_F7,
                        tr("Show the oldest step that is recorded"));
    m_back =
        addAction(QStringLiteral("step-back"), tr("One step &back"), Qt::Key_F7, tr("Show the step before"));
    m_play = addAction(QStringLiteral("resume"), tr("Pla&y"), Qt::Key_F9,
                       tr("Show what is recorded as time passes, or pause that"));
    m_forward =
        addAction(QStringLiteral("step"), tr("One step &forward"), Qt::Key_F8, tr("Show the step after"));
    m_end = addAction(QStringLiteral("to-end"), replay ? tr("To the &end") : tr("Follow the &newest step"),
                      Qt::SHIFT | Qt::Key_F8,
                      replay ? tr("Show the last step") : tr("Show what the engine does now"));
    connect(m_start, &QAction::triggered, m_playback, &Playback::goToStart);
    connect(m_back, &QAction::triggered, this, [this] { m_playback->step(-1); });
    connect(m_play, &QAction::triggered, m_playback, &Playback::toggle);
    connect(m_forward, &QAction::triggered, this, [this] { m_playback->step(1); });
    connect(m_end, &QAction::triggered, m_playback, &Playback::goToEnd);
}

void TransportBar::createSpeeds()
{
    m_speed->setAccessibleName(tr("Speed of playing"));
    m_speed->setToolTip(tr("How fast the recorded steps are shown"));
    m_speed->addItem(tr("each step"));
    for (const double speed : kSpeeds)
        m_speed->addItem(tr("%1×").arg(QLocale().toString(speed)), speed);
    m_speed->setCurrentIndex(m_speed->findData(1.0));
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this] {
        const QVariant speed = m_speed->currentData();
        m_playback->setSpeed(speed.isValid() ? std::optional(speed.toDouble()) : std::nullopt);
    });
}

void TransportBar::layOut()
{
    m_slider->setAccessibleName(tr("Step shown"));
    m_slider->setToolTip(tr("The step that all panels show"));
    m_slider->setPageStep(100);
    setFocusProxy(m_slider);
    m_state->setAccessibleName(tr("Which step is shown"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(2);
    for (QAction* action : actions()) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    row->addSpacing(6);
    row->addWidget(m_slider, 1);
    row->addSpacing(6);
    row->addWidget(m_state);
    row->addSpacing(6);
    row->addWidget(m_speed);
}

QList<QAction*> TransportBar::actions() const
{
    return {m_start, m_back, m_play, m_forward, m_end};
}

/// What the slider has no use for: Space plays and pauses, as everywhere where something is played.
void TransportBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier)
        m_play->trigger();
    else
        QWidget::keyPressEvent(event);
}

QString TransportBar::text() const
{
    return m_state->text();
}

void TransportBar::refresh()
{
    const auto range = m_glass.cursorRange();
    setEnabled(range.has_value());
    refreshSlider();
    const bool atStart = !range || m_glass.shownStep() <= range->first;
    const bool atEnd = !range || m_glass.shownStep() >= range->last;
    m_start->setEnabled(!atStart);
    m_back->setEnabled(!atStart);
    m_play->setEnabled(range && range->first < range->last);
    m_forward->setEnabled(!atEnd && m_glass.cursor());
    m_end->setEnabled(m_beside == Beside::Nothing ? !atEnd : m_glass.cursor().has_value());
    m_state->setFigures(timeText());
    const bool away = m_glass.cursor() && m_beside == Beside::Engine;
    setTextColor(*m_state, away ? warningColor(palette()) : quietText(palette()));
    m_slider->setAccessibleDescription(m_state->text());
}

void TransportBar::refreshSlider()
{
    const QSignalBlocker quiet(m_slider);
    const auto range = m_glass.cursorRange();
    m_slider->setRange(0, range ? static_cast<int>(range->last - range->first) : 0);
    if (range && !m_slider->isSliderDown())
        m_slider->setValue(static_cast<int>(std::max(m_glass.shownStep(), range->first) - range->first));
}

QString TransportBar::timeText() const
{
    const auto range = m_glass.cursorRange();
    if (!range)
        return tr("Nothing is recorded yet");
    if (!m_glass.cursor())
        return tr("Following the newest step, %1").arg(number(range->last));
    const StepFigures* shown = m_glass.shownStepFigures();
    const StepFigures* last = m_glass.batches().at(range->last);
    const StepFigures* first = m_glass.batches().at(range->first);
    if (!shown || !last || !first)
        return tr("Step %1 of %2").arg(number(m_glass.shownStep()), number(range->last));
    if (m_beside == Beside::Nothing)
        return tr("Step %1 of %2 · %3 of %4")
            .arg(number(shown->step), number(range->last), duration(shown->endSeconds - first->beginSeconds),
                 duration(last->endSeconds - first->beginSeconds));
    return tr("Showing step %1 of %2, %3 before the newest")
        .arg(number(shown->step), number(range->last), duration(last->endSeconds - shown->endSeconds));
}

void TransportBar::refreshPlay()
{
    const bool playing = m_playback->isPlaying();
    m_play->setIcon(themedIcon(playing ? QStringLiteral("pause") : QStringLiteral("resume")));
    m_play->setText(playing ? tr("Pa&use") : tr("Pla&y"));
}

void TransportBar::moveTo(int value)
{
    const auto range = m_glass.cursorRange();
    if (!range)
        return;
    m_playback->pause();
    const std::uint64_t step = range->first + static_cast<std::uint64_t>(value);
    if (step == range->last)
        m_playback->goToEnd();
    else
        m_playback->goTo(step);
}

} // namespace vitrine::ui
