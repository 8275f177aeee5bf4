#pragma once

#include <QWidget>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace views {

class PlainLabel;

// The foot of a dialog: the answer to what the user does, and the buttons, from left to right as they are added.
//
// Enter presses the default button of the dialog, also while another button of the foot has the focus. Without a
// default button it presses none, because no button becomes the default by getting the focus: the dialog names the one
// with QPushButton::setDefault(), if Enter may start what that button does. GUI thread.
class DialogFoot final : public QWidget
{
    Q_OBJECT

public:
    explicit DialogFoot(QWidget *dialog);

    // Beside the buttons; it takes the room.
    PlainLabel *addAnswer(const QString &objectName);
    // Above the buttons, with room for so many lines, so that nothing moves when the answer arrives.
    PlainLabel *addAnswerAbove(const QString &objectName, int lines);
    void addStretch(); // takes the room where no answer does

    // A given `before` is a button of this foot.
    QPushButton *addPlain(const QString &objectName, const QString &text = {}, const QPushButton *before = nullptr);
    // The button for what the dialog is about, in the color of the theme. It is not the default button by itself.
    QPushButton *addPrimary(const QString &objectName, const QString &text = {});

private:
    PlainLabel *makeAnswer(const QString &objectName);

    QVBoxLayout *m_column;
    QHBoxLayout *m_row; // the buttons
};

} // namespace views
