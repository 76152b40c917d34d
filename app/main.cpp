// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"
#include "app/demo.h"
#include "app/display_check.h"
#include "app/log.h"
#include "app/main_window.h"
#include "app/screenshot.h"
#include "app/session_store.h"
#include "app/workspace.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme_switch.h"
#include "ui/window/notice_banner.h"

#include <QApplication>
#include <QFileInfo>
#include <QSettings>
#include <QTranslator>

#include <cstdio>
#include <memory>

namespace vitrine {
namespace {

/// Demonstrations and pictures leave nothing behind.
bool keepsNothing(const CommandLine& line)
{
    return line.demoChats > 0 || !line.screenshot.isEmpty();
}

void openStore(SessionStore& store, MainWindow& window)
{
    ui::NoticeBanner& banner = window.banner();
    const QString key = QStringLiteral("store");
    QObject::connect(&store, &SessionStore::failed, &window, [&banner, key](const Error& error) {
        banner.report(error, ui::NoticeBanner::Kind::Error, key);
    });
    QObject::connect(&store, &SessionStore::recovered, &window, [&banner, key] { banner.withdraw(key); });
    if (const Result<void> opened = store.open(); !opened)
        banner.report(opened.error());
}

void loadModel(Workspace& workspace, const QString& named)
{
    const QString starter = dataFolder() + QStringLiteral("/models/SmolLM2-135M-Instruct.Q4_1.gguf");
    if (!named.isEmpty())
        workspace.model().load(QFileInfo(named).absoluteFilePath());
    else if (QFileInfo::exists(starter))
        workspace.model().load(starter);
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
    std::unique_ptr<SessionStore> store;
    std::unique_ptr<Demo> demo;
    if (!keepsNothing(line)) {
        store = std::make_unique<SessionStore>(workspace.book(), dataFolder());
        openStore(*store, window);
    }
    if (line.demoChats > 0)
        demo = std::make_unique<Demo>(workspace, line.demoChats);
    window.open(keepsNothing(line) ? nullptr : &kept, line.size);
    loadModel(workspace, line.model);
    if (!line.screenshot.isEmpty())
        saveScreenshotLater(window, line.screenshot, line.screenshotSeconds);
    const int code = QApplication::exec();
    if (!keepsNothing(line))
        window.saveLayout(kept);
    return code;
}

int runProgram(int argc, char** argv)
{
    QCoreApplication::setOrganizationName(QStringLiteral("vitrine"));
    QCoreApplication::setApplicationName(QStringLiteral("vitrine"));
    QCoreApplication::setApplicationVersion(QStringLiteral(VITRINE_VERSION));
    QSettings kept;
    ui::Settings settings(kept);
    const auto parsed = parseCommandLine(argc, argv, settings.engineOptions());
    if (const int* code = std::get_if<int>(&parsed))
        return *code;
    if (const Result<void> display = checkDisplay(); !display) {
        std::fprintf(stderr, "%s\n", display.error().line().c_str());
        return 1;
    }
    QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(QStringLiteral("vitrine"));
    QGuiApplication::setWindowIcon(ui::applicationIcon());
    startLog(stateFolder());
    QTranslator translator;
    // English where a language is missing: it has the plural forms.
    if (translator.load(QLocale(), QStringLiteral("vitrine"), QStringLiteral("_"),
                        QStringLiteral(":/i18n")) ||
        translator.load(QStringLiteral(":/i18n/vitrine_en.qm")))
        QCoreApplication::installTranslator(&translator);
    return runWindow(std::get<CommandLine>(parsed), kept, settings);
}

} // namespace
} // namespace vitrine

int main(int argc, char** argv)
{
    return vitrine::runProgram(argc, argv);
}
