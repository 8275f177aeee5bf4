#pragma once

#include <QGridLayout>

namespace views {

// A form with labels on the left and fields on the right, whose rows can be hidden.
//
// A grid, because QFormLayout of Qt 6.4 writes past its rows when a row is hidden while it computes a height for its
// width. In a grid a row of hidden widgets takes no room.
class FormGrid final : public QGridLayout
{
    Q_OBJECT

public:
    explicit FormGrid(QWidget *parent);

    // The label is also the buddy of the field, for keyboard and screen readers.
    void addRow(const QString &label, QWidget *field);
    void setGeometry(const QRect &place) override; // puts each label beside the first line of its field
    // `field` must have been added with addRow().
    void setRowVisible(QWidget *field, bool visible);
};

} // namespace views
