// The message list, for any number of messages. It loads the first page at once, then the ids of the whole list (8
// bytes a row), which give the count, the scroll bar and every jump. The first page waits for no count. Rows on the
// screen are loaded by id. The list stays as it was read: messages that arrive later are only counted, until reload().
// GUI thread.
#pragma once

#include "backend/api/requests/queries.h"
#include "models/common/consolefilter.h"
#include "models/common/csvtable.h"
#include "models/messages/messagecells.h"
#include "models/messages/messagerows.h"
#include "models/session/enginecall.h"

#include <QAbstractTableModel>

namespace models {

class MessagesModel final : public QAbstractTableModel, public PagedRows
{
    Q_OBJECT

public:
    MessagesModel(ConsoleSession &session, const ConsoleFilter &filter, QObject *parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override; // the engine sorts; a column without an index is ignored

    // Rejected: the ids of the list are not all known yet.
    [[nodiscard]] api::Answer<CsvTable> readCsv(const QList<int> &columns) override;

    void setFilter(const records::MessageFilter &filter); // another filter starts a new list
    [[nodiscard]] const api::MessageQuery &query() const { return m_query; }
    void reload(); // reads the same list again; rows that stay keep their selection
    void refreshRows(int first, int last); // loads these rows again in place
    void countNewer(); // counts the messages that arrived since the list was read
    void setNow(core::TimePoint now) { m_cells.now = now; }

    [[nodiscard]] core::MessageId idAt(int row) const { return m_ids.value(row); }
    [[nodiscard]] const QList<core::MessageId> &ids() const { return m_ids; }
    [[nodiscard]] const records::FailedMessage *messageAt(int row) const; // null until the row is loaded
    [[nodiscard]] qint64 total() const { return m_total; }
    [[nodiscard]] bool isCounted() const { return m_counted; } // the total is known; rows come before it
    [[nodiscard]] qint64 newer() const { return m_newer; }
    [[nodiscard]] bool isListed() const { return m_listed; } // all ids are known
    [[nodiscard]] bool isLoading() const { return m_loading; } // there is no answer yet
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] qint64 asOfChange() const { return m_change; }

Q_SIGNALS:
    void stateChanged(); // totals, loading, error
    // The ids are about to change, or have changed. A receiver that keeps a selection carries it over by id.
    void idsAboutToChange();
    void idsChanged();

private:
    void start();
    void takeFirstPage(const core::Result<api::MessagePage> &page);
    void takeIds(const core::Result<api::MessageIds> &list);
    void setIds(const QList<core::MessageId> &fresh);
    void drawArrived(const QList<core::MessageId> &ids);
    void wantPageOf(int row) const;
    void fail(const core::Error &error);

    ConsoleSession &m_session;
    const ConsoleFilter &m_filter;
    MessageCells m_cells;
    mutable MessageRows m_rows; // data() requests missing rows, which changes nothing visible
    api::MessageQuery m_query;
    QList<core::MessageId> m_ids;
    qint64 m_total = 0;
    qint64 m_newer = 0;
    qint64 m_change = 0;
    bool m_asked = false; // at least once
    bool m_counted = false;
    bool m_listed = false;
    bool m_loading = false;
    QString m_error;
    EngineCall m_firstPage;
    EngineCall m_list;
    EngineCall m_count;
};

} // namespace models
