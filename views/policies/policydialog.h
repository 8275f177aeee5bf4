#pragma once

#include "backend/records/connection.h"
#include "backend/recovery/policy.h"
#include "models/session/enginecall.h"

#include <QDialog>

class QLabel;
class QLayout;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTabBar;

namespace views {

class AttemptTimelineView;
class DialogFoot;
class PolicyForm;
class Theme;

// Adds or edits a policy: as fields or as the JSON of its file, which lead to the same policy. While one types, it says
// what the policy does, draws the attempts on a time line, and names what is wrong at its field. GUI thread.
class PolicyDialog final : public QDialog
{
    Q_OBJECT

public:
    // `name`: the policy to edit; empty: a new one.
    PolicyDialog(models::ConsoleSession &session, const Theme &theme, const QString &name, QWidget *parent = nullptr);

    // The policy as it is typed now, or what is wrong with it.
    [[nodiscard]] core::Result<recovery::Policy> policy() const;
    void showFile(const QByteArray &file); // a file that was opened

Q_SIGNALS:
    void saved(const QString &name);

private:
    QWidget *makeHead(const Theme &theme);
    QLayout *makeInstances(QWidget *parent);
    QWidget *makeBody(const Theme &theme);
    DialogFoot *makeFoot();
    void fill();
    [[nodiscard]] QString freeName() const;
    [[nodiscard]] core::Result<> checkName(const recovery::Policy &policy) const;
    void tabChosen(int tab);
    void preview();
    void showPreview(const recovery::Policy &policy);
    [[nodiscard]] QList<records::BrokerKind> brokers() const;
    void showError(const QString &message);
    void say(const QString &text, const QString &tone);
    void save();
    void openFile();
    void saveFile();

    models::ConsoleSession &m_session;
    QString m_name; // of the policy that is edited; empty: a new one
    AttemptTimelineView *m_timeline = nullptr;
    QLabel *m_sentence = nullptr;
    QLabel *m_ending = nullptr;
    QSpinBox *m_instances = nullptr; // of the preview; no part of a policy
    QLabel *m_bounds = nullptr;
    QTabBar *m_tabs = nullptr;
    QStackedWidget *m_stack = nullptr;
    PolicyForm *m_form = nullptr;
    QPlainTextEdit *m_json = nullptr;
    QLabel *m_answer = nullptr;
    QPushButton *m_save = nullptr;
    models::EngineCall m_saving{m_session};
};

} // namespace views
