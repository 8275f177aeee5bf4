#pragma once

#include "models/activity/eventsfeed.h"
#include "views/common/page.h"

namespace views {

class DataTable;
class FilterRow;

// Shows the activity log: who did what, to what, and with which result. GUI thread.
class ActivityPane final : public QWidget
{
    Q_OBJECT

public:
    explicit ActivityPane(const Console &console, QWidget *parent = nullptr);

    void setActive(bool active); // while inactive the pane queries nothing

private:
    void makeFilters();
    void check();
    void save();
    void updateCounts();

    Console m_console;
    models::EventsFeed m_feed;
    FilterRow *m_filters;
    DataTable *m_table;
};

} // namespace views
