#pragma once

#include "models/session/consolesession.h"
#include "views/common/widgets/plaintext.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

namespace views {

class Theme;

// The row above a list: labelled choices, a filter field, and the counts on the right. GUI thread.
class FilterRow final : public QWidget
{
    Q_OBJECT

public:
    explicit FilterRow(QWidget *parent = nullptr);

    QComboBox *addChoice(const QString &label, const QString &objectName);
    // The statuses of messages; the data of an item is its records::MessageStatus. The tool tip of "In retry" says
    // when such a message counts as resolved.
    QComboBox *addStatusChoice(models::ConsoleSession &session, const QString &objectName);
    QLineEdit *addBox(const Theme &theme, const QString &hint, const QString &objectName);
    void addButton(QWidget *button);
    void finish(); // call after the last filter; buttons that are added later stand on the right
    [[nodiscard]] static QString searchTip(); // explains what a search finds
    void setCounts(const QString &text);
    [[nodiscard]] QString counts() const { return m_counts->text(); }

protected:
    void resizeEvent(QResizeEvent *event) override; // hides labels and counts where room is short

private:
    void arrange();
    [[nodiscard]] int wanted(const QList<QWidget *> &widgets) const;

    QHBoxLayout *m_layout;
    PlainLabel *m_counts;
    QList<QWidget *> m_labels;
    QList<QWidget *> m_fixed; // choices and buttons
    QList<QLineEdit *> m_boxes;
};

} // namespace views
