// The five tabs of the detail pane; each shows one side of the message that DetailFeed holds.
#pragma once

#include "models/detail/detailfeed.h"
#include "models/detail/timelinemodel.h"
#include "views/common/page.h"

class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace views {

class DataTable;

// Where it failed: facts, then the stack trace.
class StackTab final : public QWidget
{
    Q_OBJECT

public:
    explicit StackTab(const Console &console, QWidget *parent = nullptr);
    void present(const api::MessageDetail &detail);

private:
    Console m_console;
    PlainLabel *m_type;
    PlainLabel *m_id;
    PlainLabel *m_returnsTo;
    PlainLabel *m_failed;
    PlainLabel *m_status;
    QPlainTextEdit *m_trace;
};

// Headers and properties with a search box.
class HeadersTab final : public QWidget
{
    Q_OBJECT

public:
    HeadersTab(const Console &console, models::DetailFeed &feed, QWidget *parent = nullptr);
    void focusFilter();

private:
    QLineEdit *m_box;
};

// The body: formatted, as it is, or as hex; 256 KB first.
class BodyTab final : public QWidget
{
    Q_OBJECT

public:
    explicit BodyTab(models::DetailFeed &feed, QWidget *parent = nullptr);
    void present(); // what the feed holds

private:
    models::DetailFeed &m_feed;
    PlainLabel *m_words;
    QComboBox *m_view;
    QPushButton *m_more;
    QPlainTextEdit *m_text;
};

// A time line: attempts or trail.
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
