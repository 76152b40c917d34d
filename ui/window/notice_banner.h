// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace vitrine::ui {

/// Messages above the conversation. An error stays until it is read and closed; an offer ("Undo") goes by
/// itself.
class NoticeBanner : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Error, Warning, Info };
    struct Action {
        QString label;
        std::function<void()> run;
    };

    explicit NoticeBanner(QWidget* parent = nullptr);

    /// `key`: a later message with the same key takes the place of the earlier one; empty: each has its own.
    void report(const Error& error, Kind kind = Kind::Error, const QString& key = {});
    /// The error itself, which stays in the engine's English, becomes the detail below `headline`.
    void report(const QString& headline, const Error& error, Kind kind = Kind::Error);
    /// Goes after ten seconds, or when the next offer comes.
    void offer(const QString& text, const Action& action);
    void withdraw(const QString& key);

private:
    void tell(Kind kind, const QString& text, const QString& detail, const QString& key = {},
              const Action& action = {});
    QWidget* makeRow(Kind kind, const QString& text, const QString& detail, const Action& action);
    void add(QWidget* row, const QString& key);
    void arrange();

    QVBoxLayout* m_rows;
};

} // namespace vitrine::ui
