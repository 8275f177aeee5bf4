#pragma once

#include <QHash>
#include <QWidget>

class QLabel;
class QStackedWidget;
class QTabBar;

namespace views {

class Page;

// The pages and their tabs. Exactly one page is active. GUI thread.
class PageTabs final : public QWidget
{
    Q_OBJECT

public:
    explicit PageTabs(QWidget *parent = nullptr);

    void add(Page *page, const QString &name);
    void show(int index);
    void setShown(int index, bool shown); // shows or hides the tab
    void setNote(int index, const QString &note); // text after the name, such as "1 running"
    [[nodiscard]] Page *current() const; // null before the first add()
    [[nodiscard]] int count() const;
    [[nodiscard]] int indexOf(const Page *page) const;

Q_SIGNALS:
    void currentChanged(int index);

private:
    [[nodiscard]] Page *pageAt(int index) const; // null: there is none

    QTabBar *m_tabs;
    QStackedWidget *m_stack;
    QHash<int, QString> m_names;
    Page *m_active = nullptr;
};

} // namespace views
