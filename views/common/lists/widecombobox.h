#pragma once

#include <QComboBox>

namespace views {

// A box whose entries may be longer than itself, as names of queues are: the list is as wide as they are, up to a screen of
// 720 pixels, and the entry that the box shows ends with an ellipsis. GUI thread.
class WideComboBox : public QComboBox
{
    Q_OBJECT

public:
    using QComboBox::QComboBox;

    void showPopup() override;
    [[nodiscard]] QSize sizeHint() const override; // with room for what paintEvent() keeps free

protected:
    void paintEvent(QPaintEvent *event) override;
    void focusInEvent(QFocusEvent *event) override; // before the list of an editable box opens while a person types

private:
    [[nodiscard]] int longestName() const;
    [[nodiscard]] int widthOfNames() const;
};

} // namespace views
