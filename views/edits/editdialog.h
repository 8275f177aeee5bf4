#pragma once

#include "models/edits/messageedit.h"
#include "models/session/consolesession.h"

#include <QDialog>

class QPushButton;
class QStackedWidget;

namespace views {

class Badge;
class BodyEditor;
class DifferenceView;
class HeadersTable;
class ListOrState;
class PlainLabel;
class Theme;

// One message before it is sent again: its headers and its body, and beside them what changes. The stored message stays as it
// failed; the plan comes next.
class EditDialog final : public QDialog
{
    Q_OBJECT

public:
    // `scope` is one message.
    EditDialog(models::ConsoleSession &session, const Theme &theme, const models::ActionScope &scope,
               QWidget *parent = nullptr);

    ~EditDialog() override;

    [[nodiscard]] models::MessageEdit &message() { return m_edit; }
    [[nodiscard]] const models::ActionScope &scope() const { return m_scope; }
    void finish() { QDialog::accept(); } // its edit is on its way: nothing is asked

Q_SIGNALS:
    void planWanted(const records::Edit &edit);

public Q_SLOTS:
    void reject() override; // asks first when something was changed

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeHead();
    QWidget *makeBody(const Theme &theme);
    QWidget *makeText();
    QWidget *makeDifference(const Theme &theme);
    QWidget *makeFoot();
    void askForName();
    void present(); // what was read
    void refresh(); // buttons and words
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
