// Where each part of a plan goes: one box in every row of the plan's destinations, with the queue it goes to chosen already.
#pragma once

#include "models/retries/plandestinations.h"
#include "models/retries/retryplan.h"

#include <QComboBox>

class QStandardItemModel;

namespace views {

class DataTable;

// One box. Its entries are shared by all of a plan; what is shown may be a queue that is no entry.
class DestinationPicker final : public QComboBox
{
    Q_OBJECT

public:
    // `origin`: what the messages say themselves; empty: nothing.
    DestinationPicker(QString origin, QStandardItemModel *entries, QWidget *parent);

    // `queue`: where they go; empty: nowhere. Typing is for brokers that do not list their queues.
    void showQueue(const QString &queue, bool mayType);

Q_SIGNALS:
    void chosen(const QString &origin, const std::optional<QString> &queue); // nothing: as it would go

protected:
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void letType();
    void takeTyped();
    void reveal(); // its row, in the table

    QString m_origin;
    QString m_shown;
};

// The boxes of one plan.
class DestinationPickers final : public QObject
{
    Q_OBJECT

public:
    DestinationPickers(DataTable &table, models::PlanDestinations &rows, models::RetryPlan &plan);

    // After the rows of the table were set.
    void refresh();

private:
    void fillEntries();
    void refreshRow(int row);

    DataTable &m_table;
    models::PlanDestinations &m_rows;
    models::RetryPlan &m_plan;
    QStandardItemModel *m_entries;
    QStringList m_targets; // as the entries have them
};

} // namespace views
