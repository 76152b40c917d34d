// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace vitrine::ui {

/// Messages above the conversation, at most one for each subject: what is told of it later takes the place of
/// what was told before. An error stays until it is read and closed; an offer ("Undo") goes by itself.
class NoticeBanner : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Error, Warning, Info };
    struct Action {
        QString label;
        std::function<void()> run;
    };

    explicit NoticeBanner(QWidget* parent = nullptr);

    /// `subject`: a name within the program, as "export".
    void report(const QString& subject, const Error& error, Kind kind = Kind::Error);
    /// The error itself, which stays in the engine's English, becomes the detail below `headline`.
    void report(const QString& subject, const QString& headline, const Error& error, Kind kind = Kind::Error);
    /// Goes after ten seconds, or when the next offer comes.
    void offer(const QString& text, const Action& action);
    void withdraw(const QString& subject);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* window, QEvent* event) override;

private:
    QWidget* makeRow(Kind kind, const QString& text, const QString& detail, const Action& action = {});
    void add(QWidget* row, const QString& subject);
    void arrange();

    QVBoxLayout* m_rows;
};

} // namespace vitrine::ui
