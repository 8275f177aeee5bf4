#pragma once

#include "backend/records/editing/difference.h"

#include <QAbstractTableModel>
#include <QSet>

namespace models {

// What an edit changes in one message: first the headers, then the lines of the body, each with + or −. GUI thread.
class DifferenceModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class LineKind { Title, Same, Removed, Added, Skipped };
    enum Column { Before, After, Text, ColumnCount }; // line numbers, text
    static constexpr int LineKindRole = Qt::UserRole + 100;

    using QAbstractTableModel::QAbstractTableModel;

    // A header whose name suggests a secret is masked unless `revealed` holds its name.
    // `added`: what Redrive adds to what is sent, whatever the edit (api::EditSample::additions).
    void show(const records::Difference &difference, const QSet<QString> &revealed = {}, const QStringList &added = {});
    void clear();
    [[nodiscard]] bool hasNumbers() const; // there are line numbers: changes in headers alone have none
    [[nodiscard]] QString longestText() const { return m_longest; } // the longest line, for the column width

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Line
    {
        LineKind kind = LineKind::Same;
        int before = 0; // 0: none
        int after = 0;
        QString text;
    };
    void addHeaders(const records::Difference &difference, const QSet<QString> &revealed);
    void addBody(const records::Difference &difference);
    void add(LineKind kind, const QString &text, int before = 0, int after = 0);

    QList<Line> m_lines;
    QString m_longest;
};

} // namespace models
