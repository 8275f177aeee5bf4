#pragma once

#include "models/activity/eventsfeed.h"
#include "views/common/page.h"

namespace views {

class DataTable;
class FilterRow;

// Who did what, on what, with which result.
class ActivityPane final : public QWidget
{
    Q_OBJECT

public:
    explicit ActivityPane(const Console &console, QWidget *parent = nullptr);

    void setActive(bool active); // a hidden pane asks nothing

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
