// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/settings.h"

#include "engine/option_limits.h"
#include "engine/sampling/sampler.h"
#include "engine/schedule/submission.h"

#include <QSettings>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

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

// The last of each enumeration.
constexpr Batching lastOf(Batching)
{
    return Batching::Static;
}
constexpr Allocator lastOf(Allocator)
{
    return Allocator::ContiguousOracle;
}
constexpr SchedulingPolicy lastOf(SchedulingPolicy)
{
    return SchedulingPolicy::Priority;
}
constexpr KvCacheDtype lastOf(KvCacheDtype)
{
    return KvCacheDtype::F32;
}
constexpr BackendChoice lastOf(BackendChoice)
{
    return BackendChoice::Cuda;
}
constexpr ThemeChoice lastOf(ThemeChoice)
{
    return ThemeChoice::Dark;
}

/// What is stored, where it is a value of the type.
template<typename T>
std::optional<T> fromVariant(const QVariant& stored)
{
    bool valid = stored.isValid();
    if constexpr (std::is_enum_v<T>) {
        const int value = stored.toInt(&valid);
        return valid && value >= 0 && value <= static_cast<int>(lastOf(T{}))
                   ? std::optional(static_cast<T>(value))
                   : std::nullopt;
    } else if constexpr (std::is_same_v<T, bool>) {
        return valid ? std::optional(stored.toBool()) : std::nullopt;
    } else if constexpr (std::is_floating_point_v<T>) {
        const double value = stored.toDouble(&valid);
        return valid && std::abs(value) <= std::numeric_limits<T>::max()
                   ? std::optional(static_cast<T>(value))
                   : std::nullopt;
    } else if constexpr (std::is_unsigned_v<T>) {
        const qulonglong value = stored.toULongLong(&valid);
        return valid && std::in_range<T>(value) ? std::optional(static_cast<T>(value)) : std::nullopt;
    } else {
        const qlonglong value = stored.toLongLong(&valid);
        return valid && std::in_range<T>(value) ? std::optional(static_cast<T>(value)) : std::nullopt;
    }
}

bool makeSense(const EngineOptions& options)
{
    SchedulerOptions scheduler = options.scheduler;
    if (scheduler.numBlocks == 0)
        scheduler.numBlocks = 2; // the engine derives it
    return checkOptions(scheduler) && scheduler.maxNumSeqs <= kMostSequences &&
           scheduler.maxNumBatchedTokens <= kMostBatchedTokens && scheduler.maxModelLen <= kMostModelLen &&
           options.kvCacheMib >= 0 && options.kvCacheMib <= kMostKvCacheMib && options.threads >= 0 &&
           options.threads <= kMostThreads;
}

bool makeSense(const SamplingOptions& sampling)
{
    return checkSampling(sampling).has_value();
}

/// Takes a stored value only where the options make sense with it: one bad value does not cost the others.
template<typename Options>
auto reader(const QSettings& store, const QString& group, const Options& options)
{
    return [&store, group, &options](const char* key, auto& value) {
        const auto before = value;
        value = fromVariant<std::remove_cvref_t<decltype(value)>>(store.value(group + key)).value_or(before);
        if (!makeSense(options))
            value = before;
    };
}

QVariantMap valuesOf(const EngineOptions& options)
{
    QVariantMap values;
    visitEngine(options, [&values](const char* key, const auto& value) { values[key] = toVariant(value); });
    return values;
}

QVariantMap valuesOf(const SamplingOptions& sampling)
{
    QVariantMap values;
    visitSampling(sampling,
                  [&values](const char* key, const auto& value) { values[key] = toVariant(value); });
    return values;
}

const QString kEngineGroup = QStringLiteral("engine/");
const QString kSamplingGroup = QStringLiteral("sampling/");
const QString kSystemPrompt = QStringLiteral("chat/system_prompt");
const QString kTheme = QStringLiteral("window/theme");
const QString kReduceMotion = QStringLiteral("window/reduce_motion");
const QString kLargeType = QStringLiteral("window/large_type");
const QString kRecent = QStringLiteral("models/recent");

} // namespace

Settings::Settings(QSettings& store, QObject* parent)
    : QObject(parent)
    , m_store(store)
    , m_systemPrompt(store.value(kSystemPrompt).toString())
    , m_theme(fromVariant<ThemeChoice>(store.value(kTheme)).value_or(ThemeChoice::System))
    , m_reduceMotion(fromVariant<bool>(store.value(kReduceMotion)).value_or(false))
    , m_largeType(fromVariant<bool>(store.value(kLargeType)).value_or(false))
    , m_recentModels(store.value(kRecent).toStringList().mid(0, kRecentModels))
{
    visitEngine(m_engineOptions, reader(store, kEngineGroup, m_engineOptions));
    m_agreedOptions = m_engineOptions;
    visitSampling(m_sampling, reader(store, kSamplingGroup, m_sampling));
}

void Settings::keep(const QString& key, const QVariant& value)
{
    if (m_keeps)
        m_store.setValue(key, value);
}

void Settings::keepChanges(const QString& group, const QVariantMap& before, const QVariantMap& after)
{
    for (auto value = after.begin(); value != after.end(); ++value) {
        if (value.value() != before.value(value.key()))
            keep(group + value.key(), value.value());
    }
}

void Settings::setEngineOptions(const EngineOptions& options)
{
    if (options == m_engineOptions)
        return;
    m_engineOptions = options;
    emit engineOptionsChanged();
}

void Settings::keepEngineOptions(const EngineOptions& agreed)
{
    keepChanges(kEngineGroup, valuesOf(m_agreedOptions), valuesOf(agreed));
    m_agreedOptions = agreed;
}

void Settings::adoptEngineOptions(const EngineOptions& options)
{
    m_engineOptions = options;
    keepEngineOptions(options);
}

void Settings::withdrawEngineOptions(const EngineOptions& refused)
{
    if (refused == m_engineOptions)
        setEngineOptions(m_agreedOptions);
}

void Settings::setSampling(const SamplingOptions& sampling)
{
    if (sampling == m_sampling)
        return;
    const QVariantMap before = valuesOf(m_sampling);
    m_sampling = sampling;
    keepChanges(kSamplingGroup, before, valuesOf(m_sampling));
    emit samplingChanged();
}

void Settings::setSystemPrompt(const QString& prompt)
{
    m_systemPrompt = prompt;
    keep(kSystemPrompt, prompt);
}

void Settings::setTheme(ThemeChoice theme)
{
    if (theme == m_theme)
        return;
    m_theme = theme;
    keep(kTheme, static_cast<int>(theme));
    emit themeChanged();
}

void Settings::setReduceMotion(bool reduce)
{
    if (reduce == m_reduceMotion)
        return;
    m_reduceMotion = reduce;
    keep(kReduceMotion, reduce);
    emit motionChanged();
}

void Settings::setLargeType(bool large)
{
    if (large == m_largeType)
        return;
    m_largeType = large;
    keep(kLargeType, large);
    emit typeChanged();
}

void Settings::addRecentModel(const QString& path)
{
    m_recentModels.removeAll(path);
    m_recentModels.prepend(path);
    m_recentModels = m_recentModels.mid(0, kRecentModels);
    keep(kRecent, m_recentModels);
    emit recentModelsChanged();
}

} // namespace vitrine::ui
