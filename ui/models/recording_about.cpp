// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/recording_about.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>
#include <utility>

namespace vitrine::ui {

namespace {

QString onOff(bool on)
{
    return on ? QStringLiteral("on") : QStringLiteral("off");
}

QString nameOf(Allocator allocator)
{
    switch (allocator) {
    case Allocator::Paged:
        return QStringLiteral("paged");
    case Allocator::ContiguousMax:
        return QStringLiteral("contiguous-max");
    case Allocator::ContiguousPow2:
        return QStringLiteral("contiguous-pow2");
    case Allocator::ContiguousOracle:
        return QStringLiteral("contiguous-oracle");
    }
    return {};
}

} // namespace

void RecordingAbout::describe(SequenceDirectory& directory) const
{
    for (const ChatLabel& chat : chats)
        directory.describeChat(chat);
    for (auto at = chatOfSequence.begin(); at != chatOfSequence.end(); ++at)
        directory.assign(SequenceId{at.key()}, at.value());
}

QMap<QString, QString> describeOptions(const EngineOptions& options)
{
    const SchedulerOptions& s = options.scheduler;
    return {
        {QStringLiteral("block-size"), QString::number(s.blockSize)},
        {QStringLiteral("num-blocks"), QString::number(s.numBlocks)},
        {QStringLiteral("max-num-seqs"), QString::number(s.maxNumSeqs)},
        {QStringLiteral("max-num-batched-tokens"), QString::number(s.maxNumBatchedTokens)},
        {QStringLiteral("max-step-stretch"), QString::number(s.maxStepStretch)},
        {QStringLiteral("max-model-len"), QString::number(s.maxModelLen)},
        {QStringLiteral("batching"),
         s.batching == Batching::Static ? QStringLiteral("static") : QStringLiteral("continuous")},
        {QStringLiteral("allocator"), nameOf(s.allocator)},
        {QStringLiteral("scheduling-policy"), s.schedulingPolicy == SchedulingPolicy::Priority
                                                  ? QStringLiteral("priority")
                                                  : QStringLiteral("fcfs")},
        {QStringLiteral("kv-cache"), onOff(s.kvCache)},
        {QStringLiteral("prefix-caching"), onOff(s.enablePrefixCaching)},
        {QStringLiteral("chunked-prefill"), onOff(s.enableChunkedPrefill)},
        {QStringLiteral("watermark"), QString::number(s.watermark)},
        {QStringLiteral("kv-cache-mib"), QString::number(options.kvCacheMib)},
        {QStringLiteral("kv-cache-dtype"),
         options.kvCacheDtype == KvCacheDtype::F32 ? QStringLiteral("f32") : QStringLiteral("f16")},
    };
}

RecordingAbout aboutNow(const ModelInfo& model, const EngineOptions& options,
                        const SequenceDirectory& directory)
{
    RecordingAbout about;
    about.savedAt = QDateTime::currentDateTimeUtc();
    about.program =
        QCoreApplication::applicationName() + QLatin1Char(' ') + QCoreApplication::applicationVersion();
    about.model = model;
    about.options = describeOptions(options);
    about.chatOfSequence = directory.chatOfSequence();
    QSet<qint64> chats(about.chatOfSequence.cbegin(), about.chatOfSequence.cend());
    for (const qint64 chat : std::as_const(chats))
        about.chats.push_back(directory.chatLabel(chat));
    std::ranges::sort(about.chats, {}, &ChatLabel::chat);
    return about;
}

} // namespace vitrine::ui
