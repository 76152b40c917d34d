// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"
#include "app/demo.h"
#include "app/display_check.h"
#include "app/folders.h"
#include "app/log.h"
#include "app/main_window.h"
#include "app/process_limits.h"
#include "app/program.h"
#include "app/screenshot.h"
#include "app/session_store.h"
#include "app/storage_check.h"
#include "app/termination_signals.h"
#include "app/workspace.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme_switch.h"
#include "ui/window/notice_banner.h"
#include "ui/window/recording_actions.h"
#include "ui/window/replay_window.h"

#include <QApplication>
#include <QFileInfo>
#include <QSettings>
#include <QTimer>
#include <QTranslator>

#include <csignal>
#include <cstdio>
#include <memory>

namespace vitrine {
namespace {

/// Whoever ends it from outside, by a signal or with the session, is not asked anything by its windows.
class Application : public QApplication {
public:
    using QApplication::QApplication;

protected:
    bool event(QEvent* event) override
    {
        if (event->type() != QEvent::Quit)
            return QApplication::event(event);
        exit();
        return true;
    }
};

/// Demonstrations and pictures leave nothing behind, unless asked to.
bool keepsNothing(const CommandLine& line)
{
    return (line.demoChats > 0 && !line.keepsDemo) || !line.screenshot.isEmpty();
}

void openStore(SessionStore& store, MainWindow& window)
{
    ui::NoticeBanner& banner = window.banner();
    using Subject = ui::NoticeBanner::Subject;
    QObject::connect(&store, &SessionStore::failed, &window,
                     [&banner](const Error& error) { banner.report(Subject::Saving, error); });
    QObject::connect(&store, &SessionStore::recovered, &window,
                     [&banner] { banner.withdraw(Subject::Saving); });
    if (const Result<void> opened = store.open(); !opened)
        banner.report(store.isFailing() ? Subject::Saving : Subject::Chats, opened.error());
    window.saveBeforeClosing([&store] { return store.saveNow(); });
}

/// Once the settings' file can be written, they are kept: what was told of it is true no more.
void withdrawWhenWritable(const QSettings& kept, ui::NoticeBanner& banner)
{
    constexpr int kLookMillis = 5000;
    auto* timer = new QTimer(&banner);
    QObject::connect(timer, &QTimer::timeout, &banner, [&kept, &banner, timer] {
        if (!kept.isWritable())
            return;
        banner.withdraw(ui::NoticeBanner::Subject::Settings);
        timer->deleteLater();
    });
    timer->start(kLookMillis);
}

/// What is chosen in the window is kept, or it is told why not.
void checkSettings(const QSettings& kept, ui::NoticeBanner& banner)
{
    if (kept.isWritable())
        return;
    const Result<void> storage = checkStorage(QFileInfo(kept.fileName()).path());
    const QString reason = storage
                               ? QCoreApplication::translate("vitrine::main", "their file cannot be written")
                               : QString::fromStdString(storage.error().what);
    banner.report(ui::NoticeBanner::Subject::Settings,
                  {QCoreApplication::translate("vitrine::main", "settings of this run are not kept: %1")
                       .arg(reason)
                       .toStdString(),
                   kept.fileName().toStdString(), storage ? std::string() : storage.error().advice},
                  ui::NoticeBanner::Kind::Warning);
    withdrawWhenWritable(kept, banner);
}

void loadModel(Workspace& workspace, const QString& named)
{
    const QString starter = dataFolder() + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf");
    if (!named.isEmpty())
        workspace.model().load(QFileInfo(named).absoluteFilePath());
    else if (QFileInfo::exists(starter))
        workspace.model().load(starter);
}

/// What the picture should show is not there.
auto endWithout(QTimer& picture)
{
    return [&picture](const Error& error) {
        picture.stop();
        printError(error);
        QCoreApplication::exit(1);
    };
}

/// A recording alone: no engine, no chats.
int runReplay(const CommandLine& line, ui::Settings& settings)
{
    settings.keepNothing();
    if (line.theme)
        settings.overrideTheme(*line.theme);
    const ui::ThemeSwitch theme(settings);
    ui::ReplayWindow window;
    const TerminationSignals termination;
    QObject::connect(&termination, &TerminationSignals::requested, qApp, &QApplication::quit);
    if (!line.size.isEmpty())
        window.resize(line.size);
    window.show();
    if (!line.screenshot.isEmpty()) {
        QTimer& picture = saveScreenshotLater(window, line.screenshot, line.screenshotSeconds,
                                              [&window] { return window.isReading(); });
        QObject::connect(&window, &ui::ReplayWindow::failed, &picture, endWithout(picture));
    }
    window.open(QFileInfo(line.model).absoluteFilePath());
    return QApplication::exec();
}

int runWindow(const CommandLine& line, QSettings& kept, ui::Settings& settings)
{
    if (keepsNothing(line))
        settings.keepNothing();
    settings.overrideEngineOptions(line.engine);
    if (line.theme)
        settings.overrideTheme(*line.theme);
    const ui::ThemeSwitch theme(settings);
    Workspace workspace(settings);
    MainWindow window(workspace);
    // Made before the store, so that chats are saved before a further signal may end the program.
    const TerminationSignals termination;
    QObject::connect(&termination, &TerminationSignals::requested, qApp, &QApplication::quit);
    std::unique_ptr<SessionStore> store;
    std::unique_ptr<Demo> demo;
    if (!keepsNothing(line)) {
        store = std::make_unique<SessionStore>(workspace.book(), dataFolder());
        openStore(*store, window);
        checkSettings(kept, window.banner());
    }
    if (line.demoChats > 0)
        demo = std::make_unique<Demo>(workspace, line.demoChats);
    window.open(keepsNothing(line) ? nullptr : &kept, line.size);
    if (line.hidesGlass)
        window.hideGlass();
    loadModel(workspace, line.model);
    if (!line.screenshot.isEmpty()) {
        QTimer& picture = saveScreenshotLater(window, line.screenshot, line.screenshotSeconds,
                                              [&workspace] { return workspace.model().isLoading(); });
        QObject::connect(&workspace.model(), &ui::ModelState::failed, &picture, endWithout(picture));
    }
    const int code = QApplication::exec();
    if (demo && !demo->summary().empty())
        std::printf("%s\n%s\n", demo->summary().c_str(), demo->seconds().c_str());
    if (!keepsNothing(line))
        window.saveLayout(kept);
    return code;
}

int runProgram(int argc, char** argv)
{
    // A file that may not grow further is an error of its write, not the end of the program.
    std::signal(SIGXFSZ, SIG_IGN);
    settleFolders();
    QCoreApplication::setOrganizationName(QStringLiteral("vitrine"));
    QCoreApplication::setApplicationName(QStringLiteral("vitrine"));
    QCoreApplication::setApplicationVersion(QStringLiteral(VITRINE_VERSION));
    QSettings kept;
    ui::Settings settings(kept);
    const auto parsed = parseCommandLine(argc, argv, settings.engineOptions());
    if (const int* code = std::get_if<int>(&parsed))
        return *code;
    for (const auto& check : {checkProcessLimits, checkDisplay}) {
        if (const Result<void> good = check(); !good) {
            printError(good.error());
            return kExitError;
        }
    }
    const CommandLine& line = std::get<CommandLine>(parsed);
    startLog(stateFolder(), !line.screenshot.isEmpty());
    Application application(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("vitrine"));
    QGuiApplication::setWindowIcon(ui::applicationIcon());
    QTranslator translator;
    // English where a language is missing: it has the plural forms.
    if (translator.load(QLocale(), QStringLiteral("vitrine"), QStringLiteral("_"),
                        QStringLiteral(":/i18n")) ||
        translator.load(QStringLiteral(":/i18n/vitrine_en.qm")))
        QCoreApplication::installTranslator(&translator);
    return ui::isRecording(line.model) ? runReplay(line, settings) : runWindow(line, kept, settings);
}

} // namespace
} // namespace vitrine

int main(int argc, char** argv)
{
    return vitrine::runGuarded("vitrine", [=] { return vitrine::runProgram(argc, argv); });
}
