#pragma once

#include "backend/api/requests/policies.h"
#include "backend/api/requests/queries.h"
#include "models/session/enginecall.h"
#include "views/common/page.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace views {

class DialogFoot;
class FormGrid;

// Assigns a policy to a queue, a failure group or a rule: to new failures, or also to the messages in the store, after
// it has said how many these are. The engine checks the assignment; the dialog shows its refusal
// unchanged. GUI thread.
class AssignDialog final : public QDialog
{
    Q_OBJECT

public:
    // `policy`: proposed; empty: the first one. `scope`: proposed; `words` names its group.
    AssignDialog(const Console &console, const QString &policy, const recovery::Scope &scope, const QString &words,
                 QWidget *parent = nullptr);

    [[nodiscard]] recovery::Scope scope() const; // as it is chosen now

Q_SIGNALS:
    void policyWanted(); // there is no policy yet: add one
    void rehearsalWanted(const QString &policy, const recovery::Scope &scope); // of a queue or a group

private:
    QWidget *makeBody();
    DialogFoot *makeFoot();
    void makeQueueRows();
    void makeRuleRows();
    QComboBox *addChoice(const QString &objectName, const QString &label);
    void fillPolicies(const QString &policy);
    void fillConnections(core::ConnectionId chosen);
    void fillQueues();
    void propose(const recovery::Scope &scope, const QString &words);
    void readGroups();
    void update();
    [[nodiscard]] QString refusal() const; // why it cannot be assigned; empty: it can
    void countExisting(bool isComplete);
    void showExisting();
    [[nodiscard]] QString hint() const; // what to know before assigning; empty: nothing
    void assign();
    void say(const QString &text, const QString &tone);

    Console m_console;
    FormGrid *m_form = nullptr;
    QComboBox *m_policy = nullptr;
    PlainLabel *m_sentence = nullptr;
    QComboBox *m_of = nullptr;
    QComboBox *m_connection = nullptr;
    QComboBox *m_queue = nullptr;
    QComboBox *m_group = nullptr;
    QList<std::pair<QString recovery::Rule::*, QLineEdit *>> m_patterns;
    QComboBox *m_existing = nullptr;
    PlainLabel *m_existingNote = nullptr;
    PlainLabel *m_answer = nullptr;
    QPushButton *m_rehearse = nullptr;
    QPushButton *m_assign = nullptr;
    core::GroupId m_wanted; // the proposed group, until the list of groups is read
    bool m_isComplete = false; // what is chosen can be assigned
    std::optional<api::PreviewAssignment> m_asked; // the question that was asked last
    std::optional<api::AssignmentPreview> m_there; // its answer
    models::EngineCall m_assigning{m_console.session};
    models::EngineCall m_counting{m_console.session};
};

} // namespace views
