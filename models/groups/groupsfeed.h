// Keeps GroupsModel in step with the engine: asks when the revision moved, one question at a time, only while active.
#pragma once

#include "models/groups/groupsmodel.h"
#include "models/session/consolesession.h"

#include <QTimer>

#include <optional>

namespace models {

class GroupsFeed final : public QObject
{
    Q_OBJECT

public:
    GroupsFeed(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent = nullptr);

    [[nodiscard]] GroupsModel *model() { return &m_model; }
    [[nodiscard]] const QList<GroupItem> &rows() const { return m_model.rows(); }
    [[nodiscard]] const api::GroupQuery &query() const { return m_query; }
    [[nodiscard]] qint64 totalGroups() const { return m_total; }
    [[nodiscard]] qint64 totalMessages() const { return m_messages; }
    [[nodiscard]] qint64 asOfChange() const { return m_change; }
    [[nodiscard]] bool isLoaded() const { return m_loaded; } // the present query was answered at least once
    [[nodiscard]] QString error() const { return m_error; }

    void setActive(bool active); // a hidden page asks nothing
    void setClassifier(records::Classifier classifier);
    void setStatus(records::MessageStatus status);
    void setTitleFilter(const QString &text);
    void setMuted(api::GroupQuery::Muted muted);
    void sortBy(GroupsModel::Column column, Qt::SortOrder order);
    // Order: rows stay where they are. Counts: besides, counts stay as read and what arrives is told as "n new", so that
    // a choice being made is not changed under the hand that makes it.
    enum class Hold { Nothing, Order, Counts };
    void setHold(Hold hold);
    // A retry of these groups was started: they stay in the list, with its progress, until it has ended, also when all
    // their messages have left the status that is shown.
    void keep(const QList<core::GroupId> &groups, core::OperationId operation);
    void reload(); // F5: reads the list anew, in its order

    // What these rows stand for. Nothing when none of the ids is shown.
    [[nodiscard]] ActionScope scopeOf(const QList<core::GroupId> &ids) const;

Q_SIGNALS:
    void changed(); // totals, error, loaded

private:
    enum class Reading { Refresh, Anew };
    void ask(Reading reading);
    void take(const api::GroupQuery &asked, Reading reading, const core::Result<api::GroupPage> &page);
    void show(const QList<api::GroupRow> &rows, Hold hold);
    void requery();
    void updateStates();
    void waitForEndOfMute();
    [[nodiscard]] QList<api::GroupRow> withKept(QList<api::GroupRow> rows);
    [[nodiscard]] qint64 weight(const api::GroupRow &row) const;
    [[nodiscard]] GroupItem itemOf(const api::GroupRow &row, qint64 shown) const;
    void sort(QList<api::GroupRow> &rows) const;

    ConsoleSession &m_session;
    const ConsoleFilter &m_filter;
    GroupsModel m_model;
    api::GroupQuery m_query;
    GroupsModel::Column m_sortColumn = GroupsModel::Messages;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
    qint64 m_total = 0;
    qint64 m_messages = 0;
    qint64 m_change = 0;
    QString m_error;
    bool m_active = false;
    Hold m_hold = Hold::Nothing;
    bool m_loaded = false;
    bool m_asking = false;
    QTimer m_muteEnds; // the first of those shown
    struct Kept
    {
        core::OperationId operation;
        qint64 count = 0; // as it was chosen: the row keeps its place by it
    };
    QHash<core::GroupId, Kept> m_kept;
    std::optional<Reading> m_again = Reading::Anew; // what to ask as soon as possible
};

} // namespace models
