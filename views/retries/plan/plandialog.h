// The plan of one retry or release, to be confirmed: which messages go, to which destinations, what is left out and
// why, and what is guaranteed. The person can change the plan here; every change asks the engine for a new preview.
// Nothing is sent before the person presses the main button. GUI thread.
#pragma once

#include "models/common/formatters.h"
#include "models/retries/plandestinations.h"
#include "models/retries/retryplan.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QScrollArea;
class QSpinBox;

namespace views {

class Badge;
class DataTable;
class DestinationPickers;
class DialogFoot;
class EditChoice;
class DropsChoice;
class EmptyHeadersChoice;
class FormGrid;
class RememberChoice;
class ShareChoice;
class Theme;

class PlanDialog final : public QDialog
{
    Q_OBJECT

public:
    PlanDialog(models::ConsoleSession &session, const api::RetryDraft &request, const Theme &theme,
               models::TimeZone zone, QWidget *parent = nullptr);

    [[nodiscard]] models::RetryPlan &plan() { return m_plan; }
    void openEdit(); // opens the edit part; does nothing in a release
    // While messages are frozen, the first time cancels that, and the dialog stays for the answer.
    void reject() override;

Q_SIGNALS:
    void started(core::OperationId operation); // the engine accepted it; the dialog closes
    // With the choices made so far. `about`: the messages in words.
    void rehearsalWanted(const api::RetryDraft &draft, const QString &about);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QWidget *makeHead();
    QWidget *makeBody();
    QWidget *makeConfirm(QWidget *body);
    void addFacts();
    void addChoices(QWidget *body);
    DialogFoot *makeFoot();
    QWidget *makeHowMany();
    QWidget *makeRate();
    QWidget *makeBegin();
    QWidget *makeCaution();
    QWidget *makeInDoubt();
    QWidget *makeDestinations();
    QLabel *addRow(const QString &label, const QString &name);
    void refresh();
    void refreshText();
    [[nodiscard]] QString footText() const;
    void refreshInclusion(QCheckBox *box, const QString &leftOut);
    void refreshChoices();
    void fitDestinations();
    void fitHeight();
    void applyLimit();

    models::ConsoleSession &m_session;
    models::RetryPlan m_plan;
    models::PlanDestinations m_destinations;
    const Theme &m_theme;
    models::TimeZone m_zone;
    QScrollArea *m_scroll = nullptr;
    FormGrid *m_form = nullptr;
    QLabel *m_title = nullptr;
    Badge *m_badge = nullptr;
    QLabel *m_frozen = nullptr;
    QLabel *m_evidence = nullptr;
    QLabel *m_redirected = nullptr;
    RememberChoice *m_remember = nullptr;
    QLabel *m_warnings = nullptr;
    QLabel *m_leftOut = nullptr;
    EmptyHeadersChoice *m_emptyHeaders = nullptr;
    DropsChoice *m_drops = nullptr;
    QCheckBox *m_keepOrder = nullptr; // none in a release
    ShareChoice *m_share = nullptr;
    QLabel *m_failed = nullptr;
    QLabel *m_guarantee = nullptr;
    QLabel *m_problem = nullptr;
    QLabel *m_confirmText = nullptr;
    DataTable *m_table = nullptr;
    DestinationPickers *m_pickers = nullptr;
    EditChoice *m_edit = nullptr; // none in a release
    QWidget *m_howMany = nullptr;
    QRadioButton *m_all = nullptr;
    QRadioButton *m_first = nullptr;
    QSpinBox *m_limit = nullptr;
    QWidget *m_inDoubt = nullptr;
    QRadioButton *m_sendAgain = nullptr;
    QRadioButton *m_leave = nullptr;
    QCheckBox *m_looped = nullptr;
    QCheckBox *m_duplicates = nullptr;
    QLineEdit *m_reason = nullptr;
    QWidget *m_confirm = nullptr;
    QLineEdit *m_typed = nullptr;
    QPushButton *m_rehearse = nullptr;
    QPushButton *m_again = nullptr;
    QPushButton *m_go = nullptr;
};

} // namespace views
