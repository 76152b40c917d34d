// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/log.h"

#include "engine/utf8.h"

#include <QDir>
#include <QtGlobal>

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <mutex>

namespace vitrine {
namespace {

constexpr std::size_t kFileBytes = 1 << 20;
constexpr std::size_t kFiles = 3;

spdlog::level::level_enum levelOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg:
        return spdlog::level::debug;
    case QtInfoMsg:
        return spdlog::level::info;
    case QtWarningMsg:
        return spdlog::level::warn;
    case QtCriticalMsg:
        return spdlog::level::err;
    case QtFatalMsg:
        return spdlog::level::critical;
    }
    return spdlog::level::info;
}

/// Qt helps itself, and nothing of ours lies in that folder: nobody need act.
bool concernsNobody(const QString& text)
{
    return text.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR not set"));
}

void takeQtMessage(QtMsgType type, const QMessageLogContext& context, const QString& text)
{
    spdlog::log(concernsNobody(text) ? spdlog::level::info : levelOf(type), "{}: {}",
                context.category == nullptr ? "qt" : context.category,
                printable(text.toStdString(), kWholeText));
}

/// Of all messages that a full disk swallows the first is told.
void tellOnce(const std::string& problem)
{
    static std::once_flag told;
    std::call_once(told, [&problem] {
        std::fprintf(stderr, "vitrine: the log cannot be written: %s\n",
                     printable(problem, kWholeText).c_str());
    });
}

} // namespace

void startLog(const QString& folder, bool quiet)
{
    auto errors = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    errors->set_level(quiet ? spdlog::level::off : spdlog::level::warn);
    std::vector<spdlog::sink_ptr> sinks{errors};
    std::string problem;
    try {
        QDir().mkpath(folder);
        const std::string path = (folder + QStringLiteral("/vitrine.log")).toStdString();
        sinks.push_back(std::make_shared<spdlog::sinks::rotating_file_sink_mt>(path, kFileBytes, kFiles));
    } catch (const spdlog::spdlog_ex& error) {
        problem = error.what();
    }
    auto logger = std::make_shared<spdlog::logger>("vitrine", sinks.begin(), sinks.end());
    errors->set_pattern("vitrine: %v");
    logger->set_error_handler(quiet ? [](const std::string&) {} : tellOnce);
    logger->flush_on(spdlog::level::info);
    spdlog::set_default_logger(logger);
    qInstallMessageHandler(takeQtMessage);
    if (!problem.empty())
        spdlog::warn("no log file: {}", problem);
}

void printError(const Error& error)
{
    std::fprintf(stderr, "vitrine: %s\n", error.line().c_str());
}

} // namespace vitrine
