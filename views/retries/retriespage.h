#pragma once

#include "models/retries/operationsfeed.h"
#include "views/common/page.h"

#include <QTimer>

#include <optional>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace views {

class DataTable;
class FilterRow;
class ListOrState;
class OperationBar;

// Running and past retries and releases: who, why, the progress and the outcome. The stage board and the chart show the
// operation of the chosen row. What runs and is left out by a filter is counted beside it. GUI thread.
class RetriesPage final : public Page
{
    Q_OBJECT

public:
    explicit RetriesPage(const Console &console, QWidget *parent = nullptr);

    void setActive(bool active) override;
    void reload() override;
    void focusFilter() override;
    void focusList() override;
    [[nodiscard]] bool usesTimeRange() const override { return true; }
    void openCurrent() override; // the messages that came back

    void setShown(models::OperationsShown shown);
    // Chooses the row of that operation, as soon as it is listed, and emits chosen(). Changes the filter if it leaves
    // the operation out.
    void choose(core::OperationId operation);
    // The same without chosen() and with the filter as it is: for the operation that the board picked by itself.
    void mark(core::OperationId operation);

Q_SIGNALS:
    void chosen(core::OperationId operation); // one that the board can show
    void cameBackWanted(core::OperationId operation); // show the messages that came back from it
    void doubtsWanted(core::OperationId operation); // settle its messages in doubt

private:
    // The columns that are visible only when they hold something.
    struct Extra
    {
        bool ejected = false;
        bool inDoubt = false;
        bool rate = false;
        bool reason = false;
        bool connection = false;
        friend bool operator==(const Extra &, const Extra &) = default;
    };

    void makeFilters();
    void connectParts();
    void update();
    void selectWanted();
    void showState();
    void showCounts();
    void showColumns();
    void showRunning();
    void widenFor(core::OperationId operation);
    void setText(const QString &text);
    void chosenChanged();
    void dropIfGone();
    [[nodiscard]] core::OperationId current() const; // invalid: none

    models::OperationsFeed m_feed;
    FilterRow *m_filters;
    OperationBar *m_bar;
    DataTable *m_table;
    ListOrState *m_list;
    QComboBox *m_which = nullptr;
    QLineEdit *m_box = nullptr;
    QPushButton *m_hidden = nullptr; // how many running ones the filter leaves out; shows them
    QTimer m_typing;
    std::optional<Extra> m_extra; // the columns that are visible now
    core::OperationId m_wanted; // to be chosen when it is listed
    core::OperationId m_before; // chosen before the rows changed
    bool m_onlyMark = false; // m_wanted is only to be marked
    bool m_quiet = false; // the choice changes, but nobody made it
};

} // namespace views
