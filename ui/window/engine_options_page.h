// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/engine_options.h"
#include "engine/report.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace vitrine::ui {

/// A field for each engine option, with its name in the field's words and what it means.
class EngineOptionsPage : public QWidget {
    Q_OBJECT
public:
    EngineOptionsPage(const EngineOptions& options, const ModelInfo& model, QWidget* parent = nullptr);

    [[nodiscard]] EngineOptions options() const;
    void set(const EngineOptions& options);

private:
    void createMachineFields(QFormLayout& form, const ModelInfo& model);
    void createCacheFields(QFormLayout& form);
    void createSchedulerFields(QFormLayout& form);
    void alignLabels();
    QSpinBox* addNumber(QFormLayout& form, const QString& label, int low, int high, const QString& zero,
                        const QString& tip);
    QComboBox* addChoice(QFormLayout& form, const QString& label, const QStringList& choices,
                         const QString& tip);
    QCheckBox* addSwitch(QFormLayout& form, const QString& label, const QString& tip);

    EngineOptions m_options; ///< what no field shows is kept
    QSpinBox* m_threads = nullptr;
    QComboBox* m_backend = nullptr;
    QSpinBox* m_blockSize = nullptr;
    QSpinBox* m_numBlocks = nullptr;
    QSpinBox* m_kvCacheMib = nullptr;
    QComboBox* m_kvCacheDtype = nullptr;
    QCheckBox* m_prefixCaching = nullptr;
    QCheckBox* m_kvCache = nullptr;
    QComboBox* m_allocator = nullptr;
    QSpinBox* m_maxNumSeqs = nullptr;
    QSpinBox* m_tokenBudget = nullptr;
    QSpinBox* m_maxModelLen = nullptr;
    QComboBox* m_batching = nullptr;
    QComboBox* m_policy = nullptr;
    QCheckBox* m_chunkedPrefill = nullptr;
    QDoubleSpinBox* m_watermark = nullptr;
};

} // namespace vitrine::ui
