#pragma once

#include "models/session/enginecall.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace views {

class DialogFoot;
class FormGrid;

// Adds or edits one connection. The URL field and the form fields fill each other, and the field that the user types
// into is never rewritten. The engine keeps the secret, in the desktop's keychain where there is one; the dialog
// never shows it again.
//
// The name of an existing connection is locked until "Rename" is pressed, and the secret has the focus, so that a
// password typed without looking ends up in the right field. GUI thread.
class ConnectionDialog final : public QDialog
{
    Q_OBJECT

public:
    // Edits a connection with a valid id; adds one without.
    ConnectionDialog(models::ConsoleSession &session, const records::Connection &connection, QWidget *parent = nullptr);
    ~ConnectionDialog() override;

private:
    QWidget *makeForm(FormGrid *form);
    QWidget *makeRights();
    QWidget *makeName();
    QWidget *makeErrorQueues();
    void chooseErrorQueues(); // from what the last test found
    void joinFields();
    DialogFoot *makeFoot();
    void askForSecret(); // turns the dialog into a login where asksForSecret()
    void fill(const records::Connection &connection);
    void urlEdited(const QString &text);
    void urlFinished();
    // False: the text is not a complete URL, and nothing was filled in.
    bool readUrl(const QString &text);
    void hidePassword();
    void writeUrl();
    void rename();
    [[nodiscard]] records::Connection connection() const;
    [[nodiscard]] api::ConnectionDraft draft() const;
    [[nodiscard]] QString complaint() const; // why the connection cannot be saved yet; empty: it can
    [[nodiscard]] bool asksForSecret() const; // the connection waits for a login
    void refresh();
    void test();
    void save();
    void say(const QString &text, const QString &tone);
    void tell(const api::ConnectionTest &found);

    models::ConsoleSession &m_session;
    core::ConnectionId m_id;
    records::Connection m_kept; // as given: keeps the properties that the form does not show
    QLineEdit *m_url = nullptr;
    QLineEdit *m_name = nullptr;
    QComboBox *m_kind = nullptr;
    QComboBox *m_scheme = nullptr;
    QLineEdit *m_host = nullptr;
    QLineEdit *m_port = nullptr;
    QLineEdit *m_user = nullptr;
    QLineEdit *m_secret = nullptr;
    QLineEdit *m_vhost = nullptr;
    QLineEdit *m_region = nullptr;
    QLineEdit *m_errorQueues = nullptr;
    QLineEdit *m_caFile = nullptr;
    QComboBox *m_environment = nullptr;
    QList<QCheckBox *> m_rights;
    QLabel *m_answer = nullptr;
    QPushButton *m_rename = nullptr;
    QPushButton *m_choose = nullptr;
    QList<api::CandidateQueue> m_candidates; // of the last test
    QPushButton *m_test = nullptr;
    QPushButton *m_save = nullptr;
    FormGrid *m_form = nullptr;
    QString m_urlBefore; // content of the URL field before the last edit
    QString m_suggestedName; // made from the host, until the user types a name
    bool m_filling = false; // the form is being filled from the URL: changes of its fields are ignored
    models::EngineCall m_call{m_session}; // a test or a save is in progress; the buttons stay enabled to keep the focus
};

} // namespace views
