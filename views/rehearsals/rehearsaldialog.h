#pragma once

#include "models/rehearsals/rehearsal.h"
#include "models/rehearsals/rehearsaltable.h"
#include "views/common/page.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace views {

class DataTable;
class DialogFoot;
class DurationField;
class FormGrid;

// Rehearses a retry or a policy: the person chooses on which messages the services fail and for how long, and sees what
// would have happened. Closing it cancels a rehearsal that runs. GUI thread.
class RehearsalDialog final : public QDialog
{
    Q_OBJECT

public:
    // `request`: the messages, and the plan or the policy. `about`: what is rehearsed, for the title.
    RehearsalDialog(const Console &console, const api::Rehearse &request, const QString &about,
                    QWidget *parent = nullptr);

private:
    enum class Fails { Nothing, Everything, Share, Cause };

    QWidget *makeHead(const QString &about);
    QWidget *makeBody(const Theme &theme);
    QWidget *makeFails();
    DialogFoot *makeFoot();
    DataTable *makeTable(const Theme &theme, const QString &name, const QString &label);
    [[nodiscard]] api::RehearsalFaults faults() const;
    [[nodiscard]] QString missing() const; // why it cannot start; empty: it can
    void begin();
    void update();
    void showReport();

    models::Rehearsal m_rehearsal;
    models::RehearsalTable m_counts;
    models::RehearsalTable m_rounds;
    FormGrid *m_form = nullptr;
    QWidget *m_choices = nullptr;
    QComboBox *m_fails = nullptr;
    QSpinBox *m_share = nullptr;
    QLineEdit *m_cause = nullptr;
    DurationField *m_lasting = nullptr;
    QCheckBox *m_mask = nullptr;
    QSpinBox *m_atMost = nullptr;
    QWidget *m_result = nullptr;
    PlainLabel *m_sentence = nullptr;
    DataTable *m_countTable = nullptr;
    DataTable *m_roundTable = nullptr;
    PlainLabel *m_answer = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_start = nullptr;
};

} // namespace views
