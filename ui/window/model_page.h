// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "ui/models/model_preview.h"

#include <QDialog>

class QFormLayout;
class QGroupBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace vitrine::ui {

class ModelState;
class Settings;

/// What a model file is, what is doubtful about it, and the memory that it would take, before it is loaded.
class ModelPage : public QDialog {
    Q_OBJECT
public:
    /// Shows the model that is there, if one is. What it is given outlives it.
    ModelPage(ModelState& model, Settings& settings, QWidget* parent = nullptr,
              OpenCardFn openTheCard = openCard);

    /// Looks at a file; the dialog that asks for one calls it too.
    void open(const QString& path);

private:
    void createFacts(QFormLayout& form);
    void createMemory(QFormLayout& form);
    void layOut(QFormLayout* facts, QWidget* buttons);
    [[nodiscard]] QLabel* addRow(QFormLayout& form, const QString& label);
    void followModel();
    [[nodiscard]] bool isNews() const;
    void choose();
    void load();
    void refresh();
    void showFacts(const ModelSurvey& survey);
    void refreshMemory();
    void showMemory();
    void growToContents();
    void setNotice(const QString& text, bool refused);
    [[nodiscard]] EngineOptions options() const;

    ModelState& m_model;
    Settings& m_settings;
    ModelPreview* m_preview;
    QLabel* m_name;
    QLabel* m_path;
    QLabel* m_notice;
    QLabel* m_architecture = nullptr;
    QLabel* m_parameters = nullptr;
    QLabel* m_file = nullptr;
    QLabel* m_tensorTypes = nullptr;
    QLabel* m_layers = nullptr;
    QLabel* m_heads = nullptr;
    QLabel* m_context = nullptr;
    QLabel* m_tokenizer = nullptr;
    QLabel* m_chatTemplate = nullptr;
    QGroupBox* m_memory;
    QSpinBox* m_poolSize;
    QLabel* m_weights = nullptr;
    QLabel* m_kvCache = nullptr;
    QLabel* m_longestChat = nullptr;
    QLabel* m_activations = nullptr;
    QLabel* m_total = nullptr;
    QPushButton* m_load;
};

} // namespace vitrine::ui
