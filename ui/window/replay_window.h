// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/background_work.h"
#include "ui/models/glass_model.h"
#include "ui/models/recording_file.h"
#include "ui/models/sequence_directory.h"

#include <QMainWindow>

#include <memory>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace vitrine::ui {

class NoticeBanner;
class RecordingActions;
class TransportBar;

/// A recording behind the same glass, without an engine.
class ReplayWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit ReplayWindow(QWidget* parent = nullptr);
    ~ReplayWindow() override;

    /// Reads and checks it beside the window; what was shown before stays where it is refused. Ends in
    /// opened() or failed(); one that is asked for meanwhile takes its place.
    void open(const QString& path);
    [[nodiscard]] bool isReading() const { return m_reading.isRunning(); }

    [[nodiscard]] GlassModel& glass() { return m_glass; }
    [[nodiscard]] TransportBar& transport() { return *m_transport; }
    [[nodiscard]] NoticeBanner& banner() { return *m_banner; }

signals:
    void opened();
    void failed(const vitrine::Error& error);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Reading;

    void createHead();
    void createDocks();
    void createTransport();
    void createMenus();
    void askForFile();
    /// Of the contents that were read, or of those that are there already.
    void startReading(const QString& path, std::shared_ptr<const RecordingContents> known,
                      std::optional<std::uint32_t> generation);
    void finishReading(const Error& error);
    void present(Reading& reading);
    void showParts(std::uint32_t shown);
    void choosePart();

    std::shared_ptr<const RecordingContents> m_contents; ///< null before the first
    QString m_path;
    QString m_next; ///< to be read when the one that is read has been stopped
    SequenceDirectory m_directory;
    GlassModel m_glass;
    std::shared_ptr<Reading> m_read; ///< while it is read, the work's alone
    BackgroundWork m_reading;
    RecordingActions* m_files;
    TransportBar* m_transport = nullptr;
    NoticeBanner* m_banner = nullptr;
    QLabel* m_about = nullptr;
    QComboBox* m_parts = nullptr;
    QWidget* m_progress = nullptr;
    QProgressBar* m_progressBar = nullptr;
};

} // namespace vitrine::ui
