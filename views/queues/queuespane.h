#pragma once

#include "models/queues/queuetreemodel.h"
#include "views/common/page.h"

#include <QTimer>

class QLineEdit;
class QTreeView;

namespace views {

class ListOrState;
class PlainLabel;

// The tree of connections and queues with their counts. Selecting a row narrows all pages to that place. The
// functions below act on the current row and do nothing where they need a connection or a queue and none is current.
// GUI thread.
class QueuesPane final : public QWidget
{
    Q_OBJECT

public:
    explicit QueuesPane(const Console &console, QWidget *parent = nullptr);

    [[nodiscard]] core::ConnectionId currentConnection() const; // invalid: no row is current
    [[nodiscard]] QString currentQueue() const; // empty: no queue is current
    [[nodiscard]] bool currentIsSubscribed() const;
    void focusFilter();
    void browseNow(); // browses: copies messages into the store and leaves them in their queues
    void takeNow(); // asks first where TakeQuestion::isNeeded()
    void toggleSubscription(); // subscribes to the current queue, or unsubscribes
    void showRedirects();
    void showExpiry();
    void showMove(); // lets the broker move the current queue
    void askToRemove(); // removes the current connection after a question

Q_SIGNALS:
    void currentChanged();

private:
    void makeTree();
    [[nodiscard]] QWidget *makeLegend();
    void placeChosen(const QModelIndex &index);
    void showPlace(); // selects the row of the place that the pages are narrowed to
    void updateState();
    void heightMayChange(const QModelIndex &index);
    void showMenu(const QPoint &at);
    // Asks what to take. A queue that is no error queue has to become one first.
    void take(core::ConnectionId connection, const QString &queue);
    [[nodiscard]] const api::QueueView *unnamed(core::ConnectionId connection, const QString &queue) const;

    Console m_console;
    models::QueueTreeModel m_model;
    QLineEdit *m_box;
    QTreeView *m_tree;
    ListOrState *m_list;
    PlainLabel *m_legend = nullptr;
    QTimer m_layout; // one layout for all rows that change together
    bool m_rowsGo = false; // rows are being removed: the tree selects another one by itself
};

} // namespace views
