#pragma once

#include <QComboBox>

namespace views {

// A box for names of queues, which are often longer than the box: its list is as wide as they are, up to a screen of 720
// pixels. GUI thread.
class WideComboBox : public QComboBox
{
    Q_OBJECT

public:
    using QComboBox::QComboBox;

    void showPopup() override;

protected:
    void focusInEvent(QFocusEvent *event) override; // before the list of an editable box opens while a person types

private:
    [[nodiscard]] int widthOfNames() const;
};

} // namespace views
