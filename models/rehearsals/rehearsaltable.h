#pragma once

#include "backend/api/requests/rehearsals.h"

#include <QAbstractTableModel>

namespace models {

// The outcome of a rehearsal as a table: its counts, or its rounds of retries. GUI thread.
class RehearsalTable final : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void showCounts(const api::RehearsalReport &report);
    void showRounds(const api::RehearsalReport &report);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void show(const QStringList &header, const QList<QStringList> &rows);

    QStringList m_header; // the first column is text, all others are numbers or times
    QList<QStringList> m_rows;
};

} // namespace models
