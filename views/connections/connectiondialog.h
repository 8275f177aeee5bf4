// Adds or changes one connection. One field takes a whole URL, the form takes its parts; each fills the other, and what is
// being typed is never rewritten. The secret goes to the desktop's keychain and never comes back into the window.
//
// The name of a connection that exists is locked until "Rename" is pressed, and the secret has the focus: a password typed
// blindly ends up where it belongs.
#pragma once

#include "models/session/consolesession.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace views {

class FormGrid;

class ConnectionDialog final : public QDialog
{
    Q_OBJECT

public:
    // A connection with a valid id is changed; one without is added.
    ConnectionDialog(models::ConsoleSession &session, const records::Connection &connection, QWidget *parent = nullptr);
    ~ConnectionDialog() override;

private:
    QWidget *makeForm(FormGrid *form);
    QWidget *makeRights();
    QWidget *makeName();
    void joinFields();
    QWidget *makeFoot();
    void askForSecret(); // when the broker waits for it: says so, in title, words and button
    void fill(const records::Connection &connection);
    void urlEdited(const QString &text);
    void urlFinished();
    // False: no URL (yet), nothing was filled in.
    bool readUrl(const QString &text);
    void hidePassword();
    void writeUrl();
    void rename();
    [[nodiscard]] records::Connection connection() const;
    [[nodiscard]] QString regionOf(const QUrl &url) const;
    [[nodiscard]] QString pathOf(records::BrokerKind kind, const QUrl &url) const;
    [[nodiscard]] api::ConnectionDraft draft() const;
    [[nodiscard]] QString complaint() const; // why it cannot be saved yet; empty: it can
    [[nodiscard]] bool asksForSecret() const; // the broker refused the login that is known
    void refresh();
    void test();
    void save();
    void say(const QString &text, const QString &tone);
    void tell(const api::ConnectionTest &found);

    models::ConsoleSession &m_session;
    core::ConnectionId m_id;
    records::Connection m_kept; // what the form does not show stays as it was
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
    QPushButton *m_test = nullptr;
    QPushButton *m_save = nullptr;
    FormGrid *m_form = nullptr;
    QString m_urlBefore; // what the URL field held before the last edit
    QString m_suggestedName; // made from the host, until the person gives one
    bool m_filling = false; // URL and form fill each other: the echo is ignored
    bool m_waiting = false; // for the answer to a test or to saving; buttons stay enabled, so that the focus stays
};

} // namespace views
