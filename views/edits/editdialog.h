#pragma once

#include "models/edits/messageedit.h"
#include "models/session/consolesession.h"

#include <QDialog>

class QPushButton;
class QStackedWidget;

namespace views {

class Badge;
class BodyEditor;
class DialogFoot;
class DifferenceView;
class HeadersTable;
class ListOrState;
class PlainLabel;
class Theme;

// Edits the headers and the body of one message before it is retried, and shows the changes beside them. The stored
// message stays unchanged; planWanted() passes the edit on to the plan dialog. GUI thread.
class EditDialog final : public QDialog
{
    Q_OBJECT

public:
    // `scope` must hold exactly one message.
    EditDialog(models::ConsoleSession &session, const Theme &theme, const models::ActionScope &scope,
               QWidget *parent = nullptr);

    ~EditDialog() override;

    [[nodiscard]] models::MessageEdit &message() { return m_edit; }
    [[nodiscard]] const models::ActionScope &scope() const { return m_scope; }
    void finish() { QDialog::accept(); } // closes without a question, because the edit was passed on

Q_SIGNALS:
    void planWanted(const records::Edit &edit);

public Q_SLOTS:
    void reject() override; // asks first when there are changes

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeHead();
    QWidget *makeBody(const Theme &theme);
    QWidget *makeText();
    QWidget *makeDifference(const Theme &theme);
    DialogFoot *makeFoot();
    void askForName();
    void present(); // shows the message that was read
    void refresh(); // the button and the line in the foot
    void showDifference();
    void goOn();

    models::ConsoleSession &m_session;
    models::ActionScope m_scope;
    models::MessageEdit m_edit;
    Badge *m_badge = nullptr;
    PlainLabel *m_name = nullptr;
    ListOrState *m_whole = nullptr;
    HeadersTable *m_headers = nullptr;
    PlainLabel *m_bodyText = nullptr;
    ListOrState *m_text = nullptr;
    BodyEditor *m_editor = nullptr;
    ListOrState *m_changes = nullptr;
    DifferenceView *m_difference = nullptr;
    PlainLabel *m_words = nullptr;
    QPushButton *m_go = nullptr;
};

} // namespace views
