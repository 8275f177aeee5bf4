#pragma once

#include "views/detail/detailtabs.h"

class QPushButton;
class QStackedWidget;
class QTabBar;

namespace views {

class ListOrState;
class PolicyStrip;

// Shows everything about one message, and acts on that message alone.
class DetailPane final : public QWidget
{
    Q_OBJECT

public:
    explicit DetailPane(const Console &console, QWidget *parent = nullptr);

    void setActive(bool active);
    void show(core::MessageId id);
    void showNewestOf(const models::ActionScope &group);
    [[nodiscard]] models::ActionScope scope() const { return m_feed.scope(); }
    void reload(); // asks the engine for the message again
    void focusTabs();
    void focusHeaderFilter();
    void retry(); // this message
    void edit(); // opens the edit dialog, which leads to a retry
    void archive();
    // Why the message cannot be retried or edited, for people; empty: it can.
    [[nodiscard]] QString retryRefusal() const;
    [[nodiscard]] QString editRefusal() const;

Q_SIGNALS:
    void shownChanged(); // another message, or new facts about it

private:
    [[nodiscard]] QString browsedOnly() const; // why a message that was browsed only cannot be acted on
    void makeTabs();
    void makeButtons();
    void addTab(const QString &name, QWidget *tab);
    void update();
    void updateButtons();
    void copyMenu();

    Console m_console;
    models::DetailFeed m_feed;
    PlainLabel *m_title;
    PolicyStrip *m_policy;
    QTabBar *m_tabs;
    QStackedWidget *m_stack;
    ListOrState *m_body;
    StackTab *m_stackTab;
    HeadersTab *m_headersTab;
    BodyTab *m_bodyTab;
    TimelineTab *m_attempts;
    TimelineTab *m_trail;
    QPushButton *m_retry;
    QPushButton *m_edit;
    QPushButton *m_archive;
    QPushButton *m_copy;
};

} // namespace views
