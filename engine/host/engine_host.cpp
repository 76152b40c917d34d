// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/host/engine_host.h"

#include "engine/engine.h"

#include <QElapsedTimer>
#include <QTimer>

#include <thread>

namespace vitrine {
namespace {

template<typename... F>
struct Overloaded : F... {
    using F::operator()...;
};

} // namespace

class EngineHost::Private {
public:
    Private(EngineOptions options, OpenCardFn openTheCard)
        : engine(std::move(options), std::move(openTheCard))
    {
    }

    Engine engine;
    std::jthread thread;
    QTimer drainTimer;
    QElapsedTimer sinceDrain;
    std::shared_ptr<std::atomic<bool>> cancelLoad;
    std::uint64_t lastLoad = 0;
    std::uint64_t lastRequest = 0;
};

EngineHost::EngineHost(EngineOptions options, QObject* parent, OpenCardFn openTheCard)
    : QObject(parent)
    , d(std::make_unique<Private>(std::move(options), std::move(openTheCard)))
{
    d->drainTimer.setSingleShot(true);
    d->drainTimer.setTimerType(Qt::PreciseTimer);
    connect(&d->drainTimer, &QTimer::timeout, this, &EngineHost::drain);
    d->sinceDrain.start();
    connect(this, &EngineHost::woken, this, &EngineHost::scheduleDrain, Qt::QueuedConnection);
    d->engine.outbox().onWake([this] { emit woken(QPrivateSignal()); });
    d->thread = std::jthread([this](std::stop_token stop) { d->engine.run(std::move(stop)); });
}

EngineHost::~EngineHost()
{
    cancelLoad();
    d->thread.request_stop();
    d->engine.commands().close();
    d->thread.join();
}

LoadId EngineHost::loadModel(const QString& path, const std::optional<EngineOptions>& options)
{
    cancelLoad();
    d->cancelLoad = std::make_shared<std::atomic<bool>>(false);
    const LoadId id{++d->lastLoad};
    post(command::LoadModel{id, path.toStdString(), d->cancelLoad, options});
    return id;
}

void EngineHost::cancelLoad()
{
    if (d->cancelLoad)
        d->cancelLoad->store(true);
}

RequestId EngineHost::submit(Request request)
{
    const RequestId id{++d->lastRequest};
    post(command::Submit{{id}, std::move(request)});
    return id;
}

void EngineHost::cancel(RequestId request)
{
    post(command::Cancel{request});
}

void EngineHost::setOptions(EngineOptions options)
{
    post(command::SetOptions{std::move(options)});
}

void EngineHost::pause()
{
    post(command::Pause{});
}

void EngineHost::resume()
{
    post(command::Resume{});
}

void EngineHost::singleStep()
{
    post(command::SingleStep{});
}

void EngineHost::setStepDelay(int milliseconds)
{
    post(command::SetStepDelay{milliseconds});
}

void EngineHost::describeBlock(BlockId block)
{
    post(command::DescribeBlock{block});
}

void EngineHost::post(Command command)
{
    d->engine.commands().push(std::move(command));
}

void EngineHost::scheduleDrain()
{
    if (d->drainTimer.isActive())
        return;
    const qint64 elapsed = d->sinceDrain.elapsed();
    d->drainTimer.start(static_cast<int>(std::max<qint64>(0, kDrainMillis - elapsed)));
}

void EngineHost::drain()
{
    d->sinceDrain.restart();
    Outbox::Contents contents = d->engine.outbox().drain();
    emitReports(std::move(contents.reports));
    if (contents.snapshot || !contents.steps.empty())
        emit stepsRecorded(std::make_shared<const StepBatch>(
            StepBatch{std::move(contents.snapshot), std::move(contents.steps), contents.droppedSteps}));
}

void EngineHost::emitReports(std::vector<Report> reports)
{
    std::vector<report::TextDelta> deltas; // neighbours travel as one signal
    const auto flush = [&] {
        if (!deltas.empty())
            emit textArrived(deltas);
        deltas.clear();
    };
    for (Report& report : reports) {
        if (auto* delta = std::get_if<report::TextDelta>(&report)) {
            deltas.push_back(std::move(*delta));
            continue;
        }
        flush();
        std::visit(
            Overloaded{
                [&](const report::LoadProgress& r) { emit loadProgressed(r.fraction, r.stage, r.load); },
                [&](const report::ModelLoaded& r) { emit modelLoaded(*r.info, r.load); },
                [&](const report::LoadFailed& r) { emit modelFailed(r.error, r.cancelled, r.load); },
                [&](const report::OptionsChanged& r) { emit optionsChanged(*r.info, r.options); },
                [&](const report::OptionsRefused& r) { emit optionsRefused(r.error, r.options); },
                [&](const report::ModelGone&) { emit modelGone(); },
                [&](const report::Accepted& r) { emit requestAccepted(r); },
                [&](const report::TextDelta&) {},
                [&](const report::Finished& r) { emit requestFinished(r); },
                [&](const report::BlockDescribed& r) { emit blockDescribed(r.content); },
            },
            report);
    }
    flush();
}

} // namespace vitrine
