// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/settings.h"

#include <QSettings>

#include <algorithm>

namespace vitrine::ui {
namespace {

constexpr int kRecentModels = 8;

/// Calls visit(key, field) for each option: reading and writing go through the same list.
/// Keys are the names that serving engines use.
template<typename Options, typename Visit>
void visitEngine(Options& options, Visit visit)
{
    auto& scheduler = options.scheduler;
    visit("block_size", scheduler.blockSize);
    visit("num_blocks", scheduler.numBlocks);
    visit("max_num_seqs", scheduler.maxNumSeqs);
    visit("max_num_batched_tokens", scheduler.maxNumBatchedTokens);
    visit("max_model_len", scheduler.maxModelLen);
    visit("batching", scheduler.batching);
    visit("allocator", scheduler.allocator);
    visit("scheduling_policy", scheduler.schedulingPolicy);
    visit("kv_cache", scheduler.kvCache);
    visit("enable_prefix_caching", scheduler.enablePrefixCaching);
    visit("enable_chunked_prefill", scheduler.enableChunkedPrefill);
    visit("watermark", scheduler.watermark);
    visit("kv_cache_mib", options.kvCacheMib);
    visit("kv_cache_dtype", options.kvCacheDtype);
    visit("threads", options.threads);
    visit("backend", options.backend);
}

template<typename Options, typename Visit>
void visitSampling(Options& sampling, Visit visit)
{
    visit("temperature", sampling.temperature);
    visit("top_k", sampling.topK);
    visit("top_p", sampling.topP);
    visit("min_p", sampling.minP);
    visit("repetition_penalty", sampling.repetitionPenalty);
    visit("seed", sampling.seed);
}

/// Enumerations travel as numbers, the others as what they are.
template<typename T>
QVariant toVariant(const T& value)
{
    if constexpr (std::is_enum_v<T>)
        return static_cast<int>(value);
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return static_cast<qlonglong>(value);
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return static_cast<qulonglong>(value);
    else
        return QVariant::fromValue(value);
}

template<typename T>
void fromVariant(const QVariant& stored, T& value)
{
    if (!stored.isValid())
        return;
    if constexpr (std::is_enum_v<T>)
        value = static_cast<T>(stored.toInt());
    else if constexpr (std::is_same_v<T, bool>)
        value = stored.toBool();
    else if constexpr (std::is_floating_point_v<T>)
        value = static_cast<T>(stored.toDouble());
    else if constexpr (std::is_unsigned_v<T>)
        value = static_cast<T>(stored.toULongLong());
    else
        value = static_cast<T>(stored.toLongLong());
}

auto reader(const QSettings& store, const QString& group)
{
    return [&store, group](const char* key, auto& value) { fromVariant(store.value(group + key), value); };
}

auto writer(QSettings& store, const QString& group)
{
    return [&store, group](const char* key, const auto& value) {
        store.setValue(group + key, toVariant(value));
    };
}

const QString kEngineGroup = QStringLiteral("engine/");
const QString kSamplingGroup = QStringLiteral("sampling/");
const QString kSystemPrompt = QStringLiteral("chat/system_prompt");
const QString kTheme = QStringLiteral("window/theme");
const QString kRecent = QStringLiteral("models/recent");

} // namespace

Settings::Settings(QSettings& store, QObject* parent)
    : QObject(parent)
    , m_store(store)
    , m_systemPrompt(store.value(kSystemPrompt).toString())
    , m_theme(static_cast<ThemeChoice>(std::clamp(store.value(kTheme).toInt(), 0, 2)))
    , m_recentModels(store.value(kRecent).toStringList())
{
    visitEngine(m_engineOptions, reader(store, kEngineGroup));
    visitSampling(m_sampling, reader(store, kSamplingGroup));
}

void Settings::setEngineOptions(const EngineOptions& options)
{
    if (options == m_engineOptions)
        return;
    m_engineOptions = options;
    visitEngine(m_engineOptions, writer(m_store, kEngineGroup));
    emit engineOptionsChanged();
}

void Settings::setSampling(const SamplingOptions& sampling)
{
    if (sampling == m_sampling)
        return;
    m_sampling = sampling;
    visitSampling(m_sampling, writer(m_store, kSamplingGroup));
    emit samplingChanged();
}

void Settings::setSystemPrompt(const QString& prompt)
{
    m_systemPrompt = prompt;
    m_store.setValue(kSystemPrompt, prompt);
}

void Settings::setTheme(ThemeChoice theme)
{
    if (theme == m_theme)
        return;
    m_theme = theme;
    m_store.setValue(kTheme, static_cast<int>(theme));
    emit themeChanged();
}

void Settings::addRecentModel(const QString& path)
{
    m_recentModels.removeAll(path);
    m_recentModels.prepend(path);
    m_recentModels = m_recentModels.mid(0, kRecentModels);
    m_store.setValue(kRecent, m_recentModels);
    emit recentModelsChanged();
}

} // namespace vitrine::ui
