// A form in two columns whose rows can come and go: label to the left, field to the right.
//
// QFormLayout of Qt 6.4 writes past its rows when one is hidden while it computes a height for its width, so rows
// live in a grid here, where a row whose widgets are hidden takes no room.
#pragma once

#include <QGridLayout>

namespace views {

class FormGrid final : public QGridLayout
{
    Q_OBJECT

public:
    explicit FormGrid(QWidget *parent);

    // The label names the field for keyboards and screen readers, too.
    void addRow(const QString &label, QWidget *field);
    // `field` is one that was given to addRow().
    void setRowVisible(QWidget *field, bool visible);
};

} // namespace views
