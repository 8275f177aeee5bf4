#pragma once

#include "models/queues/queuetreemodel.h"
#include "views/common/page.h"

#include <QTimer>

class QLineEdit;
class QTreeView;

namespace views {

class ListOrState;

// Connections and queues: what lies where, and the place that the pages are narrowed to.
class QueuesPane final : public QWidget
{
    Q_OBJECT

public:
    explicit QueuesPane(const Console &console, QWidget *parent = nullptr);

    [[nodiscard]] core::ConnectionId currentConnection() const; // of the current row; none: no row
    [[nodiscard]] QString currentQueue() const; // empty: a connection is current
    [[nodiscard]] bool currentIsFollowed() const;
    void focusFilter();
    void lookNow(); // into the queues of the current row, without taking
    void takeNow(); // from the current row, after a question where that is due
    void toggleFollow();
    void showRedirects();
    void showExpiry();
    void showMove(); // of the current queue, by its broker
    void askToRemove(); // the current connection, after a question

Q_SIGNALS:
    void currentChanged();

private:
    void makeTree();
    void placeChosen(const QModelIndex &index);
    void showPlace(); // the row of the place that the pages are narrowed to is the current one; none: no row
    void updateState();
    void heightMayChange(const QModelIndex &index);
    void showMenu(const QPoint &at);

    Console m_console;
    models::QueueTreeModel m_model;
    QLineEdit *m_box;
    QTreeView *m_tree;
    ListOrState *m_list;
    QTimer m_layout; // one for all rows that changed at once
    bool m_rowsGo = false; // the tree then chooses another row by itself
};

} // namespace views
