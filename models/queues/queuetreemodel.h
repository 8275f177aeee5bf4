// The tree of connections and their queues. It follows the snapshot and changes rows in place, so expansion, selection
// and scroll position stay. GUI thread.
#pragma once

#include "models/session/consolesession.h"

#include <QAbstractItemModel>

namespace models {

class QueueTreeModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Kind { ConnectionRow, QueueRow };

    explicit QueueTreeModel(ConsoleSession &session, QObject *parent = nullptr);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex &index) const override;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

    // Shows only queues whose name, or whose connection's name, contains this text.
    void setFilter(const QString &text);

    // Null when the index is invalid; queueAt() also for a connection.
    [[nodiscard]] const api::ConnectionView *connectionAt(const QModelIndex &index) const; // of a queue: its connection
    [[nodiscard]] const api::QueueView *queueAt(const QModelIndex &index) const;
    [[nodiscard]] QModelIndex indexOf(core::ConnectionId connection, const QString &queue = {}) const;

private:
    struct Node
    {
        api::ConnectionView view;
        QList<api::QueueView> queues; // by name
        QString loss; // the last result of lossLine()
    };
    [[nodiscard]] QList<Node> wanted() const;
    [[nodiscard]] int rowOf(core::ConnectionId id) const;
    void update();
    void updatePolicies();
    [[nodiscard]] QString policyOf(const api::QueueView &queue) const; // empty: none is assigned to it
    void updateQueues(int row, const QList<api::QueueView> &fresh);
    [[nodiscard]] QString lossLine(core::ConnectionId connection) const;
    [[nodiscard]] QVariant connectionCell(const api::ConnectionView &view, const QString &loss, int role) const;
    [[nodiscard]] QVariant queueCell(const api::QueueView &queue, int role) const;
    [[nodiscard]] QString counts(const api::QueueView &queue) const;
    [[nodiscard]] QString spokenCounts(const api::QueueView &queue) const;
    [[nodiscard]] static bool isOffered(const api::QueueView &queue);
    [[nodiscard]] static QStringList candidateLines(const api::QueueView &queue);
    [[nodiscard]] QString tip(const api::QueueView &queue) const;
    [[nodiscard]] bool isStale(const api::QueueView &queue) const;

    ConsoleSession &m_session;
    QString m_filter;
    QList<Node> m_nodes; // by name
};

} // namespace models
