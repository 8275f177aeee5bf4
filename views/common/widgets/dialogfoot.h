#pragma once

#include <QPointer>
#include <QPushButton>
#include <QWidget>

class QHBoxLayout;
class QVBoxLayout;

namespace views {

class PlainLabel;

// The foot of a dialog: the answer to what the user does, and the buttons. All dialogs have the same order, in whatever
// order the buttons are added: further buttons, the button that leaves, and the button for what the dialog is about.
//
// Enter presses the default button of the dialog: the button for what the dialog is about, or, where that cannot be undone,
// the one that leaves. While the button that leaves has the focus, Enter leaves. GUI thread.
class DialogFoot final : public QWidget
{
    Q_OBJECT

public:
    enum class Act {
        CanBeUndone, // Enter does it
        CannotBeUndone, // Enter leaves; the button is not in the color that invites to press it
        NeedsItsButton, // Enter belongs to the content of the dialog: it presses no button
    };

    explicit DialogFoot(QWidget *dialog);

    // Beside the buttons; it takes the room.
    PlainLabel *addAnswer(const QString &objectName);
    // Above the buttons, with room for so many lines, so that nothing moves when the answer arrives.
    PlainLabel *addAnswerAbove(const QString &objectName, int lines);
    void addStretch(); // takes the room where no answer does

    QPushButton *addPlain(const QString &objectName, const QString &text = {});
    // Cancel or Close: the button that does nothing. It is not connected.
    QPushButton *addLeave(const QString &objectName, const QString &text);
    // The button for what the dialog is about.
    QPushButton *addPrimary(const QString &objectName, const QString &text, Act act);
    // Says anew what Enter does, when that depends on what was chosen.
    void setAct(Act act);
    // Gives the focus to the button that Enter presses, so that what is seen is what happens.
    void focusDefault();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    PlainLabel *makeAnswer(const QString &objectName);
    QPushButton *makeButton(const QString &objectName, const QString &text);

    QVBoxLayout *m_column;
    QHBoxLayout *m_row; // the buttons
    Act m_act = Act::NeedsItsButton;
    QPointer<QPushButton> m_leave;
    QPointer<QPushButton> m_primary;
};

} // namespace views
