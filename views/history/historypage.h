#pragma once

#include "models/history/historyfeed.h"
#include "views/common/page.h"

#include <QTimer>

class QLineEdit;
class QPushButton;

namespace views {

class DataTable;
class FilterRow;
class ListOrState;

// Past retries and releases: who, why and the outcome. Leads to the messages that came back and to the report.
class HistoryPage final : public Page
{
    Q_OBJECT

public:
    explicit HistoryPage(const Console &console, QWidget *parent = nullptr);

    void setActive(bool active) override;
    void reload() override;
    void focusFilter() override;
    void focusList() override;
    [[nodiscard]] bool usesTimeRange() const override { return true; }
    void openCurrent() override;

Q_SIGNALS:
    void cameBackWanted(core::OperationId operation); // show the messages that came back from it
    void doubtsWanted(core::OperationId operation); // settle its messages in doubt

private:
    // The columns that are visible only when they hold something.
    struct Extra
    {
        bool ejected = false;
        bool inDoubt = false;
        bool connection = false;
        friend bool operator==(const Extra &, const Extra &) = default;
    };

    void makeFilters();
    QWidget *makeButtons();
    void update();
    void showColumns();
    void updateButtons();
    void retryWhatCameBack();
    [[nodiscard]] const records::RetryOperation *current() const;

    models::HistoryFeed m_feed;
    FilterRow *m_filters;
    DataTable *m_table;
    ListOrState *m_list;
    QLineEdit *m_box = nullptr;
    QPushButton *m_show = nullptr;
    QPushButton *m_retry = nullptr;
    QPushButton *m_doubt = nullptr;
    QPushButton *m_report = nullptr;
    QTimer m_typing;
    std::optional<Extra> m_extra; // the columns that are visible now
};

} // namespace views
