#pragma once

#include "models/pipelines/pipelinesfeed.h"
#include "views/common/page.h"

#include <QHash>

class QComboBox;
class QPlainTextEdit;
class QPushButton;

namespace views {

class Banner;
class DataTable;
class FilterRow;
class ListOrState;

// The four steps of a pipeline with their counts, the list behind one of them, and the query as text to copy. Raises the
// event of a stuck task after a question; poison messages are retried on the Messages page like any others.
class PipelinesPage final : public Page
{
    Q_OBJECT

public:
    explicit PipelinesPage(const Console &console, QWidget *parent = nullptr);

    void setActive(bool active) override;
    void reload() override;
    void focusFilter() override;
    void focusList() override;
    [[nodiscard]] bool hasPipelines() const { return !m_feed.pipelines().isEmpty(); }
    void addPipeline(); // opens the dialog
    void askToRemove(); // the chosen one, after a question

Q_SIGNALS:
    void pipelinesChanged(); // hasPipelines
    void added(); // a pipeline, by the dialog

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    using List = models::PipelineList;

    void makeBar();
    QWidget *makeSteps();
    void addList(class StepColumn *column, List list, const QString &name, const QString &label);
    void addQueues(StepColumn *column, records::PipelineStep step);
    QWidget *makeQuery();
    void showPipelines();
    void showChosen();
    void update();
    void updateCounts();
    void updateQueues();
    void updateButtons();
    void showQuery();
    void copyQuery();
    void chooseList(List list);
    void showPoison(records::PipelineStep step);
    void askToRaise();
    [[nodiscard]] const records::PipelineTask *currentTask() const;

    struct Count
    {
        QPushButton *button = nullptr;
        QString label;
    };
    models::PipelinesFeed m_feed;
    models::PipelineListModel m_model;
    FilterRow *m_bar;
    Banner *m_banner;
    DataTable *m_table;
    ListOrState *m_state;
    QComboBox *m_choice = nullptr;
    QPushButton *m_raise = nullptr;
    QPushButton *m_copy = nullptr;
    QWidget *m_queryPane = nullptr;
    QPlainTextEdit *m_query = nullptr;
    QHash<int, Count> m_lists; // by PipelineList
    QHash<int, Count> m_depths; // by PipelineStep
    QHash<int, Count> m_poison;
    List m_list = List::OverdueProcess;
};

} // namespace views
