#pragma once

#include "backend/api/requests/edits.h"

#include <QAbstractTableModel>
#include <QSet>

namespace models {

// The headers of one message while a person edits them. A removed header stays in its row until the edit ends, so that
// it can be put back. GUI thread.
class EditedHeaders final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Value, Kind, ColumnCount };
    enum class ValueKind { Text, Integer, Number, Truth, Other }; // Other: null, bytes, lists and tables
    Q_ENUM(ValueKind)

    using QAbstractTableModel::QAbstractTableModel;

    void show(const api::EditSample &message);
    // The headers that can be changed, as they were and as they are now. Both leave out the locked ones.
    [[nodiscard]] records::Headers original() const;
    [[nodiscard]] records::Headers headers() const;
    [[nodiscard]] bool isChanged() const;

    int add(); // adds an empty header and returns its row
    void remove(int row); // a locked header stays
    void putBack(int row); // undoes its removal and its changes
    [[nodiscard]] bool isRemoved(int row) const { return m_rows.at(row).isRemoved; }
    // Why this header cannot be changed; empty: it can.
    [[nodiscard]] QString whyLocked(int row) const { return m_rows.at(row).whyLocked; }
    [[nodiscard]] bool isMasked(int row) const { return m_rows.at(row).isMasked; }
    void reveal(int row);
    [[nodiscard]] QSet<QString> revealed() const
    {
        return m_revealed;
    } // names of the headers whose values may be shown
    // Why the headers are invalid: a name is missing or used twice; empty: they are valid.
    [[nodiscard]] QString problem() const;

    [[nodiscard]] static ValueKind kindOf(const QCborValue &value);
    [[nodiscard]] static QString textOf(ValueKind kind);
    [[nodiscard]] static QCborValue emptyOf(ValueKind kind);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    void edited();

private:
    struct Row
    {
        records::Header now;
        std::optional<records::Header> before; // nothing: the person added it
        QString whyLocked;
        QString whySensitive;
        bool isProperty = false;
        bool isMasked = false;
        bool isRemoved = false;
    };
    [[nodiscard]] QString text(const Row &row, int column) const;
    [[nodiscard]] QVariant editValue(const Row &row, int column) const;
    [[nodiscard]] QString tip(const Row &row) const;
    [[nodiscard]] int tone(const Row &row, int column) const;
    void touch(int row);

    QList<Row> m_rows;
    QSet<QString> m_revealed;
};

} // namespace models
