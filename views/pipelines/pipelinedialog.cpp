#include "views/pipelines/pipelinedialog.h"

#include "models/common/visibletext.h"
#include "views/common/filereader.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/growtofit.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>

namespace views {

namespace {

constexpr int pipelineWidth = 600;
constexpr qint64 longestColumnFile = 1024 * 1024; // the engine has a lower limit and names it

} // namespace

PipelineDialog::PipelineDialog(const Console &console, QWidget *parent)
    : QDialog(parent)
    , m_console(console)
{
    setObjectName(QStringLiteral("pipelineDialog"));
    setModal(true);
    setWindowTitle(tr("Add a pipeline"));
    frameDialog(*this, {nullptr, makeBody(), makeFoot()});
    fillConnections();
    showColumns();
    connect(m_name, &QLineEdit::textChanged, this, &PipelineDialog::update);
    connect(m_url, &QLineEdit::textChanged, this, &PipelineDialog::urlEdited);
    connect(m_url, &QLineEdit::editingFinished, this, &PipelineDialog::hidePassword);
    urlEdited();
    fitDialog(*this, pipelineWidth);
    m_name->setFocus();
}

PipelineDialog::~PipelineDialog()
{
    m_url->disconnect(this); // losing the focus on destruction must not count as editingFinished
}

QWidget *PipelineDialog::makeBody()
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    m_form = new FormGrid(body);
    m_form->setContentsMargins(16, 14, 16, 14);
    m_name = addLine(QStringLiteral("pipelineName"), tr("Name"), tr("Short and unique, for example reports"));
    m_url = addLine(QStringLiteral("pipelineUrl"), tr("Database"),
                    tr("postgresql://user@host/database or sqlite:/path/of/file"));
    m_password = addLine(QStringLiteral("pipelinePassword"), tr("Password"), tr("Of the user of the database"));
    m_password->setEchoMode(QLineEdit::Password);
    m_connection = new QComboBox;
    m_connection->setObjectName(QStringLiteral("pipelineConnection"));
    m_connection->setAccessibleName(tr("Queues of"));
    m_connection->setToolTip(tr("The broker with the queues of the steps. Without it no event can be sent."));
    m_form->addRow(tr("Queues of"), m_connection);
    m_form->addRow(tr("Columns"), makeColumns());
    m_mayRaise = new QCheckBox(tr("Events of stuck tasks may be raised again"));
    m_mayRaise->setObjectName(QStringLiteral("pipelineMayRaise"));
    m_mayRaise->setToolTip(tr("Without this right the database is only read."));
    m_mayRaise->setChecked(true);
    m_form->addRow(QString(), m_mayRaise);
    return body;
}

QLineEdit *PipelineDialog::addLine(const QString &objectName, const QString &label, const QString &hint)
{
    auto *line = new QLineEdit;
    line->setObjectName(objectName);
    line->setAccessibleName(label);
    line->setPlaceholderText(hint);
    m_form->addRow(label, line);
    return line;
}

QWidget *PipelineDialog::makeColumns()
{
    auto *whole = new QWidget(this);
    m_columnsText = new PlainLabel({}, whole);
    m_columnsText->setObjectName(QStringLiteral("pipelineColumns"));
    auto *file = new QPushButton(tr("From a file…"), whole);
    file->setObjectName(QStringLiteral("pipelineColumnFile"));
    file->setToolTip(tr("A JSON file that names tables and columns where they differ from those of ReportStream"));
    m_ownNames = new QPushButton(tr("Forget the file"), whole);
    m_ownNames->setObjectName(QStringLiteral("pipelineNoColumnFile"));
    for (QPushButton *button : {file, m_ownNames})
        button->setAutoDefault(false);
    connect(file, &QPushButton::clicked, this, &PipelineDialog::askForColumns);
    connect(m_ownNames, &QPushButton::clicked, this, [this] {
        m_columns.clear();
        showColumns();
    });
    auto *row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_columnsText, 1);
    row->addWidget(m_ownNames);
    row->addWidget(file);
    return whole;
}

DialogFoot *PipelineDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    m_answer = foot->addAnswer(QStringLiteral("pipelineAnswer"));
    const QPushButton *cancel = foot->addLeave({}, tr("Cancel"));
    m_add = foot->addPrimary(QStringLiteral("pipelineAdd"), tr("Add pipeline"), DialogFoot::Act::CanBeUndone);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_add, &QPushButton::clicked, this, &PipelineDialog::add);
    return foot;
}

// The first connection, because a pipeline without queues can only be looked at.
void PipelineDialog::fillConnections()
{
    for (const api::ConnectionView &view : m_console.session.snapshot().connections)
        m_connection->addItem(models::visibleLine(view.connection.name), view.connection.id.value);
    m_connection->addItem(tr("No broker: events are not sent"), 0);
}

// Only PostgreSQL has a password.
void PipelineDialog::urlEdited()
{
    m_form->setRowVisible(m_password, !m_url->text().trimmed().startsWith(QLatin1String("sqlite:")));
    update();
}

// The password is in its own field then and must not stay readable in the URL.
void PipelineDialog::hidePassword()
{
    const records::PipelineUrl typed = records::pipelineUrlFrom(m_url->text().trimmed());
    if (!typed.secret)
        return;
    m_password->setText(*typed.secret);
    m_url->setText(typed.url);
}

void PipelineDialog::askForColumns()
{
    FileReader::ask(this, tr("Names of tables and columns"), tr("JSON files (*.json);;All files (*)"),
                    longestColumnFile, [this](const core::Result<QByteArray> &content) {
                        if (!content)
                            return say(models::visibleLine(content.error().message), QStringLiteral("bad"));
                        m_columns = *content;
                        showColumns();
                    });
}

void PipelineDialog::showColumns()
{
    m_columnsText->setText(m_columns.isEmpty() ? tr("Named as in ReportStream") : tr("Named in a file"));
    m_ownNames->setVisible(!m_columns.isEmpty());
}

QString PipelineDialog::complaint() const
{
    if (m_name->text().trimmed().isEmpty())
        return tr("Give the pipeline a name.");
    if (m_url->text().trimmed().isEmpty())
        return tr("Enter where the database is.");
    return m_console.session.refusal(models::Verb::EditConnections);
}

void PipelineDialog::update()
{
    const QString reason = complaint();
    m_add->setEnabled(reason.isEmpty() && !m_adding.isPending());
    say(reason, QStringLiteral("muted"));
}

void PipelineDialog::add()
{
    if (m_adding.isPending())
        return;
    hidePassword();
    api::AddPipeline command;
    command.pipeline.name = m_name->text().trimmed();
    command.pipeline.url = records::pipelineUrlFrom(m_url->text().trimmed()).url;
    command.pipeline.columns = m_columns;
    command.pipeline.connection = core::ConnectionId{m_connection->currentData().toLongLong()};
    command.pipeline.rights.setFlag(records::Right::Retry, m_mayRaise->isChecked());
    if (!m_password->isHidden() && !m_password->text().isEmpty())
        command.secret = m_password->text();
    m_add->setEnabled(false);
    say(tr("Opening the database…"), QStringLiteral("muted"));
    m_adding.ask(command, [this, name = command.pipeline.name](const core::Result<api::PipelineAdded> &done) {
        take(name, done);
    });
}

void PipelineDialog::take(const QString &name, const core::Result<api::PipelineAdded> &done)
{
    m_add->setEnabled(true);
    if (!done)
        return say(models::visibleLine(done.error().message), QStringLiteral("bad"));
    const QString text = tr("Added the pipeline %1.").arg(models::visibleLine(name));
    Q_EMIT m_console.session.succeeded(
        done->secretNotKept.isEmpty() ? text : text + QLatin1Char(' ') + models::visibleLine(done->secretNotKept));
    Q_EMIT added(done->id);
    accept();
}

void PipelineDialog::say(const QString &text, const QString &tone)
{
    m_answer->setText(text);
    setStyleProperty(m_answer, "tone", tone);
    growToFit(*this);
}

} // namespace views

#include "moc_pipelinedialog.cpp"
