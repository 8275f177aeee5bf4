#include "views/common/lists/listdialog.h"

#include "views/common/lists/datatable.h"
#include "views/common/lists/emptystate.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr int dialogWidth = 820;
constexpr int dialogHeight = 460;

} // namespace

ListDialog::ListDialog(const Theme &theme, const QString &name, const QString &words, QWidget *parent)
    : QDialog(parent)
    , m_name(name)
    , m_table(new DataTable(theme, -1))
{
    setObjectName(name + QStringLiteral("Dialog"));
    m_table->setObjectName(name + QStringLiteral("Table"));
    frameDialog(*this, {nullptr, makeBody(words), makeFoot()});
    fitDialog(*this, dialogWidth, dialogHeight);
}

QWidget *ListDialog::makeBody(const QString &words)
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *label = new PlainLabel(words, body);
    label->setWordWrap(true);
    label->setProperty("tone", QStringLiteral("muted"));
    m_list = new ListOrState(m_table, body);
    connect(m_list, &ListOrState::actionRequested, this, &ListDialog::wantedAgain);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    column->addWidget(label);
    column->addWidget(m_list, 1);
    return body;
}

DialogFoot *ListDialog::makeFoot()
{
    m_foot = new DialogFoot(this);
    m_foot->setAct(DialogFoot::Act::NeedsItsButton); // Enter opens the current row
    m_summary = m_foot->addAnswer(m_name + QStringLiteral("Summary"));
    const QPushButton *close = m_foot->addLeave(m_name + QStringLiteral("Close"), tr("Close"));
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return m_foot;
}

QPushButton *ListDialog::addFootButton(const QString &objectName, const QString &text)
{
    return m_foot->addPlain(objectName, text);
}

void ListDialog::showRows(bool loaded, const QString &error, const QString &emptyTitle, const QString &emptySentence)
{
    const bool any = m_table->model()->rowCount() > 0;
    const bool appears = any && m_table->isHidden();
    if (any)
        m_list->showList();
    else if (!error.isEmpty())
        m_list->showState(tr("The list could not be read"), error, tr("Try again"));
    else if (!loaded)
        m_list->showState(tr("Reading…"), {});
    else
        m_list->showState(emptyTitle, emptySentence);
    if (appears)
        m_table->setFocus();
}

void ListDialog::setSummary(const QString &text)
{
    m_summary->setText(text);
}

} // namespace views

#include "moc_listdialog.cpp"
