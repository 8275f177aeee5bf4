// The boxes in the destinations table of a plan: each one chooses the queue that the messages of its row are sent to.
#pragma once

#include "models/retries/plandestinations.h"
#include "models/retries/retryplan.h"
#include "views/common/lists/widecombobox.h"

class QStandardItemModel;

namespace views {

class DataTable;

// One box. It begins with "where the message failed" and the queues that such messages go to; the entries of all known queues
// are shared by the boxes of a plan. The box can show a queue that is not an entry.
class DestinationPicker final : public WideComboBox
{
    Q_OBJECT

public:
    // `origin`: the destination that the messages name; empty: none.
    DestinationPicker(QString origin, QStandardItemModel *entries, QWidget *parent);

    // The queues to offer first, before all others.
    void offer(const QStringList &choices);
    // `queue`: where the messages go; empty: unknown. `mayType` is for brokers that do not list their queues.
    void showQueue(const QString &queue, bool mayType);

Q_SIGNALS:
    void chosen(const QString &origin, const std::optional<QString> &queue); // nothing: where the message failed

protected:
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void letType();
    void takeTyped();
    void reveal(); // scrolls the table to its row

    QString m_origin;
    QString m_shown;
    QStringList m_choices;
    QStandardItemModel *m_first; // the entries of this box alone
};

// Creates the boxes of one plan and passes what is chosen to the plan.
class DestinationPickers final : public QObject
{
    Q_OBJECT

public:
    DestinationPickers(DataTable &table, models::PlanDestinations &rows, models::RetryPlan &plan);

    // To be called after the rows of the table changed.
    void refresh();

private:
    void fillEntries();
    void refreshRow(int row);

    DataTable &m_table;
    models::PlanDestinations &m_rows;
    models::RetryPlan &m_plan;
    QStandardItemModel *m_entries;
    QStringList m_targets; // the queues in the entries
};

} // namespace views
