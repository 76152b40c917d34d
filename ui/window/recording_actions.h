// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/background_work.h"
#include "ui/models/recording_file.h"

#include <QObject>
#include <QPointer>

#include <functional>

class QAction;
class QMenu;
class QProgressDialog;
class QWidget;

namespace vitrine::ui {

/// Saving a recording and handing it to other programs: asks for a name, works beside the window with a
/// progress that can be cancelled, and tells how it ended.
class RecordingActions : public QObject {
    Q_OBJECT
public:
    /// `window`: over which dialogs stand. `contents`: what is recorded at the moment when it is asked for.
    RecordingActions(QWidget* window, std::function<RecordingContents()> contents);

    [[nodiscard]] QAction* saveAction() const { return m_save; }
    /// With the formats of other programs.
    [[nodiscard]] QMenu* exportMenu() const { return m_export; }
    void setEnabled(bool enabled);

    using Writer = Result<void> (*)(const RecordingContents&, const QString&, const FileProgress&);
    /// Without a question.
    void write(Writer writer, const QString& path);
    [[nodiscard]] bool isWriting() const { return m_work.isRunning(); }

signals:
    void written(const QString& path);
    void failed(const vitrine::Error& error);

private:
    QAction* addAction(const QString& text, const QString& title, const QString& filter,
                       const QString& suffix, Writer writer);
    void ask(const QString& title, const QString& filter, const QString& suffix, Writer writer);
    void finish(const Error& error);

    QWidget* m_window;
    std::function<RecordingContents()> m_contents;
    BackgroundWork m_work;
    QString m_path;
    QPointer<QProgressDialog> m_progress;
    QMenu* m_export;
    QAction* m_save;
};

/// A recording's file among what was dragged over a window; empty where there is none.
[[nodiscard]] QString recordingIn(const QList<QUrl>& urls);
[[nodiscard]] bool isRecording(const QString& path);
/// "Recordings of Vitrine (*.vitrine-recording);;All files (*)".
[[nodiscard]] QString recordingFilter();

} // namespace vitrine::ui
