// Fills GroupsModel from the engine. Reads the list again when messages change, with one request at a time, and only
// while it is active. GUI thread.
#pragma once

#include "models/groups/groupsmodel.h"
#include "models/session/enginecall.h"

#include <QTimer>

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
    [[nodiscard]] bool isLoaded() const { return m_loaded; } // the current query was answered at least once
    [[nodiscard]] QString error() const { return m_error; }

    void setActive(bool active) { m_call.setActive(active); } // a hidden page requests nothing
    void setClassifier(records::Classifier classifier);
    void setStatus(records::MessageStatus status);
    void setTitleFilter(const QString &text);
    void setMuted(api::GroupQuery::Muted muted);
    void sortBy(GroupsModel::Column column, Qt::SortOrder order);
    // What a refresh must not change. Order: rows stay where they are. Counts: counts stay, too, and new messages are
    // shown as "n new", so that a selection does not change while a person makes it.
    enum class Hold { Nothing, Order, Counts };
    void setHold(Hold hold);
    // Call it after the start of a retry of these groups: they stay in the list with its progress until it ends, even
    // when none of their messages has the shown status any more.
    void keep(const QList<core::GroupId> &groups, core::OperationId operation);
    void reload(); // F5: reads the list again, in its own order

    // The scope of these groups, with the counts that are shown. Empty when none of them is in the list.
    [[nodiscard]] ActionScope scopeOf(const QList<core::GroupId> &ids) const;

    // Writes all groups of the query in the order of the list. Cancelled: the feed is gone.
    [[nodiscard]] api::Answer<CsvTable> readCsv(const QList<int> &columns);

Q_SIGNALS:
    void changed(); // totals, error, loaded

private:
    enum class Reading { Refresh, Anew };
    void ask();
    void take(Reading reading, const core::Result<api::GroupPage> &page);
    void show(const QList<api::GroupRow> &rows, Hold hold);
    [[nodiscard]] static api::GroupQuery::Order orderOf(GroupsModel::Column column);
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
    Hold m_hold = Hold::Nothing;
    bool m_loaded = false;
    bool m_hasMore = false; // there are groups that are not on the page
    QTimer m_muteEnds; // the first mute of the shown groups ends
    struct Kept
    {
        core::OperationId operation;
        qint64 count = 0; // as it was selected: the row keeps its place by it
    };
    QHash<core::GroupId, Kept> m_kept;
    bool m_anew = true; // the next reading gives the list its own order
    EngineCall m_call;
};

} // namespace models
