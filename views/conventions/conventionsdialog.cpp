#include "views/conventions/conventionsdialog.h"

#include "backend/records/conventions/conventionfile.h"
#include "models/common/visibletext.h"
#include "views/common/filereader.h"
#include "views/common/filewriter.h"
#include "views/common/lists/datatable.h"
#include "views/common/widgets/plaintext.h"
#include "views/common/widgets/question.h"
#include "views/conventions/conventiondialog.h"

#include <QPushButton>

namespace views {

namespace {

constexpr qint64 longestFile = 1024 * 1024; // bytes

QString fileKinds()
{
    return ConventionsDialog::tr("Convention files (*.json);;All files (*)");
}

} // namespace

ConventionsDialog::ConventionsDialog(models::ConsoleSession &session, const Theme &theme, models::TimeZone zone,
                                     QWidget *parent)
    : ListDialog(theme, QStringLiteral("conventions"),
                 tr("A convention says where messages of your own applications keep the cause and the way back, and "
                    "what goes before a retry. To make one, select a header or field of a failed message."),
                 parent)
    , m_session(session)
    , m_theme(theme)
    , m_model(zone)
    , m_new(addFootButton(QStringLiteral("conventionsNew"), tr("New…")))
    , m_edit(addFootButton(QStringLiteral("conventionsEdit"), tr("Edit…")))
    , m_export(addFootButton(QStringLiteral("conventionsExport"), tr("Export…")))
    , m_import(addFootButton(QStringLiteral("conventionsImport"), tr("Import…")))
    , m_remove(addFootButton(QStringLiteral("conventionsRemove"), tr("Remove…")))
{
    setModal(true);
    setWindowTitle(tr("Conventions"));
    table().setAccessibleName(tr("Conventions"));
    table().setModel(&m_model);
    table().setWidths({150, 0, 80, 220}, models::ConventionsModel::For);
    connect(&table(), &DataTable::rowSelectionChanged, this, &ConventionsDialog::refresh);
    connect(&table(), &DataTable::opened, m_edit, &QPushButton::click);
    connect(&session, &models::ConsoleSession::engineChanged, this, &ConventionsDialog::refresh);
    connect(this, &ListDialog::wantedAgain, this, &ConventionsDialog::read);
    connect(m_new, &QPushButton::clicked, this, [this] { openEditor({}, true); });
    connect(m_edit, &QPushButton::clicked, this, [this] {
        if (const api::ConventionView *view = chosen())
            openEditor(view->file, false);
    });
    connect(m_export, &QPushButton::clicked, this, &ConventionsDialog::exportChosen);
    connect(m_import, &QPushButton::clicked, this, &ConventionsDialog::importFile);
    connect(m_remove, &QPushButton::clicked, this, &ConventionsDialog::askToRemove);
    refresh();
    read();
}

void ConventionsDialog::read()
{
    const api::ConventionQuery question;
    m_session.ask(this, question, [this](const core::Result<QList<api::ConventionView>> &views) {
        m_hasRead = m_hasRead || views.has_value();
        m_error = views ? QString() : models::visibleLine(views.error().message);
        if (views)
            m_model.setRows(*views);
        refresh();
    });
}

const api::ConventionView *ConventionsDialog::chosen() const
{
    const QModelIndex index = table().chosenRow();
    return index.isValid() ? &m_model.rows().at(index.row()) : nullptr;
}

void ConventionsDialog::refresh()
{
    showRows(m_hasRead, m_error, tr("No conventions"),
             tr("Redrive reads messages as their framework or broker writes them."));
    const QString refusal = m_session.refusal(models::Verb::Retry);
    const bool isChosen = chosen() != nullptr;
    for (QPushButton *button : {m_new, m_import, m_remove}) {
        button->setEnabled(refusal.isEmpty() && (button != m_remove || isChosen));
        button->setToolTip(plainToolTip(refusal));
    }
    m_edit->setEnabled(isChosen);
    m_export->setEnabled(isChosen);
}

void ConventionsDialog::openEditor(const QByteArray &file, bool isNew)
{
    records::Convention convention;
    const core::Result<records::Convention> read = records::conventionFrom(file);
    if (read)
        convention = *read;
    auto *dialog = new ConventionDialog(m_session, m_theme, convention, isNew, std::nullopt, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!file.isEmpty() && !read) // the text with its mistake
        dialog->showFile(file);
    connect(dialog, &ConventionDialog::saved, this, &ConventionsDialog::read);
    connect(dialog, &QDialog::finished, this, &ConventionsDialog::read);
    dialog->open();
}

void ConventionsDialog::exportChosen()
{
    const api::ConventionView *view = chosen();
    if (view == nullptr)
        return;
    const QString proposed = models::visibleLine(view->name) + QStringLiteral(".json");
    FileWriter::askForPath(this, tr("Export convention"), proposed, fileKinds(),
                           [this, file = view->file](const QString &path) {
                               FileWriter::save(m_session, this, path, [file] { return file; });
                           });
}

void ConventionsDialog::importFile()
{
    FileReader::ask(this, tr("Import convention"), fileKinds(), longestFile,
                    [this](const core::Result<QByteArray> &file) {
                        if (file)
                            openEditor(*file, true);
                        else
                            setSummary(models::visibleLine(file.error().message));
                    });
}

void ConventionsDialog::askToRemove()
{
    const api::ConventionView *view = chosen();
    if (view == nullptr)
        return;
    Question question;
    question.name = QStringLiteral("conventionsRemoveQuestion");
    question.title = tr("Remove convention");
    question.text = tr("Remove the convention %1?").arg(models::visibleLine(view->name));
    question.consequences = tr("%1 messages stay as they were read with it, until conventions are applied again.",
                               nullptr, int(view->messages))
                                .arg(models::formatNumber(view->messages));
    question.action = tr("Remove convention");
    askQuestion(question, this, [this, name = view->name] { remove(name); });
}

void ConventionsDialog::remove(const QString &name)
{
    const api::RemoveConvention command{name};
    m_session.ask(this, command, [this, name](const core::Result<> &done) {
        setSummary(done ? tr("Removed %1.").arg(models::visibleLine(name)) : models::visibleLine(done.error().message));
        read();
    });
}

} // namespace views

#include "moc_conventionsdialog.cpp"
