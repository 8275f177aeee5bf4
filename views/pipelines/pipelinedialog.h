#pragma once

#include "backend/api/requests/pipelines.h"
#include "models/session/enginecall.h"
#include "views/common/page.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;

namespace views {

class DialogFoot;
class FormGrid;

// Adds a pipeline. The engine opens the database and checks its tables first; the dialog shows its refusal unchanged and
// stays open. A password in the URL moves into its own field. GUI thread.
class PipelineDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit PipelineDialog(const Console &console, QWidget *parent = nullptr);
    ~PipelineDialog() override;

Q_SIGNALS:
    void added(core::PipelineId id);

private:
    QWidget *makeBody();
    QWidget *makeColumns();
    DialogFoot *makeFoot();
    QLineEdit *addLine(const QString &objectName, const QString &label, const QString &hint);
    void fillConnections();
    void urlEdited();
    void hidePassword();
    void askForColumns();
    void showColumns();
    void update();
    [[nodiscard]] QString complaint() const; // why it cannot be added yet; empty: it can
    void add();
    void take(const QString &name, const core::Result<api::PipelineAdded> &done);
    void say(const QString &text, const QString &tone);

    Console m_console;
    FormGrid *m_form = nullptr;
    QLineEdit *m_name = nullptr;
    QLineEdit *m_url = nullptr;
    QLineEdit *m_password = nullptr;
    QComboBox *m_connection = nullptr;
    QCheckBox *m_mayRaise = nullptr;
    PlainLabel *m_columnsText = nullptr;
    QPushButton *m_ownNames = nullptr; // forgets the column file
    PlainLabel *m_answer = nullptr;
    QPushButton *m_add = nullptr;
    QByteArray m_columns; // the column file; empty: the names of ReportStream
    models::EngineCall m_adding{m_console.session};
};

} // namespace views
