// The tabs of the detail pane. Each shows one aspect of the message that DetailFeed holds.
#pragma once

#include "models/detail/detailfeed.h"
#include "models/detail/timelinemodel.h"
#include "views/common/page.h"

class QComboBox;
class QLineEdit;
class QMenu;
class QPlainTextEdit;
class QPushButton;

namespace views {

class DataTable;
class FactLabel;

// The facts of the failure, then the stack trace.
class StackTab final : public QWidget
{
    Q_OBJECT

public:
    explicit StackTab(const Console &console, QWidget *parent = nullptr);
    void present(const api::MessageDetail &detail);

private:
    Console m_console;
    FactLabel *m_type;
    FactLabel *m_id;
    FactLabel *m_returnsTo;
    FactLabel *m_failed;
    FactLabel *m_status;
    QPlainTextEdit *m_trace;
};

// The headers and properties, with a search box.
class HeadersTab final : public QWidget
{
    Q_OBJECT

public:
    HeadersTab(const Console &console, models::DetailFeed &feed, QWidget *parent = nullptr);
    void focusFilter();

private:
    [[nodiscard]] records::MessagePlace chosen() const; // without a name: none
    void fillMenu();

    Console m_console;
    models::DetailFeed &m_feed;
    QLineEdit *m_box;
    DataTable *m_table;
    QPushButton *m_use;
    QMenu *m_menu;
};

// The body: formatted, raw or as hex. Loads 256 KB at first; a button loads the rest.
class BodyTab final : public QWidget
{
    Q_OBJECT

public:
    BodyTab(const Console &console, models::DetailFeed &feed, QWidget *parent = nullptr);
    void present(); // shows the body that the feed holds

private:
    models::DetailFeed &m_feed;
    PlainLabel *m_words;
    QComboBox *m_view;
    QPushButton *m_more;
    QPushButton *m_use;
    QPlainTextEdit *m_text;
};

// A time line: the attempts of a message, or its trail.
class TimelineTab final : public QWidget
{
    Q_OBJECT

public:
    TimelineTab(const Console &console, const QString &name, QWidget *parent = nullptr);
    [[nodiscard]] models::TimelineModel &model() { return m_model; }

private:
    models::TimelineModel m_model;
};

} // namespace views
