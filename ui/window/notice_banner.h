// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/error.h"

#include <QList>
#include <QStringList>
#include <QWidget>

#include <functional>
#include <optional>

class QVBoxLayout;

namespace vitrine::ui {

/// Messages above the conversation, at most one for each subject: what is told of it later takes the place of
/// what was told before. An error stays until it is read and closed; an offer ("Undo") goes by itself.
class NoticeBanner : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Error, Warning, Info };
    enum class Subject {
        Model,     ///< that did not load
        Remarks,   ///< on the model that is there
        Options,   ///< of the engine
        Card,      ///< that failed
        Writing,   ///< of recordings and exports
        Recording, ///< that could not be opened
        Chats,     ///< that were there before
        Saving,    ///< of chats
        Settings,  ///< that are not kept
    };
    struct Action {
        QString label;
        std::function<void()> run;
    };

    explicit NoticeBanner(QWidget* parent = nullptr);

    void report(Subject subject, const Error& error, Kind kind = Kind::Error);
    /// The error itself, which stays in the engine's English, becomes the detail below `headline`.
    void report(Subject subject, const QString& headline, const Error& error, Kind kind = Kind::Error);
    /// `details`: each on a line.
    void report(Subject subject, const QString& headline, const QStringList& details, Kind kind);
    /// Goes after ten seconds, or when the next offer comes.
    void offer(const QString& text, const Action& action);
    void withdraw(Subject subject);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Row;
    using About = std::optional<Subject>; ///< none: an offer

    Row* add(About about, Kind kind, const QString& text, const QStringList& details,
             const Action& action = {});
    void withdrawWhatIs(About about);
    void remove(Row* row);
    void arrange();
    [[nodiscard]] QList<Row*> rows() const; ///< the newest first

    QVBoxLayout* m_rows;
};

} // namespace vitrine::ui
