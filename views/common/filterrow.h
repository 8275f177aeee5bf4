#pragma once

#include "models/session/consolesession.h"
#include "views/common/plaintext.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

namespace views {

class Theme;

// The row above a list: labelled choices, a filter box, and the counts at the right.
class FilterRow final : public QWidget
{
    Q_OBJECT

public:
    explicit FilterRow(QWidget *parent = nullptr);

    QComboBox *addChoice(const QString &label, const QString &objectName);
    // The statuses of messages; each item's data is its records::MessageStatus. "In retry" says when that ends by itself.
    QComboBox *addStatusChoice(models::ConsoleSession &session, const QString &objectName);
    QLineEdit *addBox(const Theme &theme, const QString &hint, const QString &objectName);
    void addButton(QWidget *button);
    void finish(); // after the last part: what follows stands at the right
    [[nodiscard]] static QString searchTip(); // what a search of messages looks at
    void setCounts(const QString &text);
    [[nodiscard]] QString counts() const { return m_counts->text(); }

protected:
    void resizeEvent(QResizeEvent *event) override; // where room is short the choices stand without their labels

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
