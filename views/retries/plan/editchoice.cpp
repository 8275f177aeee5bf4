#include "views/retries/plan/editchoice.h"

#include "backend/records/editing/editing.h"
#include "models/common/visibletext.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/plaintext.h"
#include "views/common/widgets/wheelguard.h"
#include "views/edits/editfiles.h"
#include "views/edits/steprow.h"
#include "views/retries/plan/editoutcome.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

namespace views {

using models::TypedStep;

EditChoice::EditChoice(models::RetryPlan &plan, models::ConsoleSession &session, const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_plan(plan)
    , m_session(session)
    , m_theme(theme)
    , m_fold(new QToolButton(this))
    , m_summary(new PlainLabel({}, this))
{
    m_fold->setObjectName(QStringLiteral("flat"));
    m_fold->setProperty("name", QStringLiteral("editFold"));
    m_fold->setText(tr("Edit every message"));
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setCheckable(true);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_summary->setObjectName(QStringLiteral("editSummary"));
    m_summary->setWordWrap(true);
    m_summary->setProperty("tone", QStringLiteral("muted"));
    QSizePolicy tall = sizePolicy();
    tall.setHeightForWidth(true); // so that the form puts the label beside the first line
    setSizePolicy(tall);
    auto *head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_fold, 0, Qt::AlignTop);
    head->addWidget(m_summary, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(head);
    connect(m_fold, &QToolButton::toggled, this, &EditChoice::fold);
    fold(false);
    refresh();
}

void EditChoice::open()
{
    m_fold->setChecked(true);
}

void EditChoice::fold(bool open)
{
    m_fold->setIcon(m_theme.icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    m_fold->setAccessibleName(open ? tr("Edit every message, expanded") : tr("Edit every message, collapsed"));
    if (open && m_content == nullptr) {
        makeContent();
        showSteps(m_plan.draft().plan.edit);
        if (m_steps.isEmpty())
            addStep({});
    }
    if (m_content != nullptr) {
        m_content->setVisible(open);
        m_outcome->setActive(open);
    }
    if (open && !m_steps.isEmpty())
        m_steps.constFirst()->focusName();
    refresh();
    Q_EMIT resized();
}

void EditChoice::makeContent()
{
    m_content = new QWidget(this);
    m_content->setObjectName(QStringLiteral("editContent"));
    m_rows = new QVBoxLayout;
    m_rows->setSpacing(6);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    const auto button = [&](const QString &name, const QString &text, auto run) {
        auto *one = new QPushButton(text, m_content);
        one->setObjectName(name);
        one->setAutoDefault(false);
        connect(one, &QPushButton::clicked, this, run);
        buttons->addWidget(one);
        return one;
    };
    button(QStringLiteral("editAddStep"), tr("Add step"), [this] {
        addStep({});
        m_steps.constLast()->focusName();
        tell();
    });
    button(QStringLiteral("editLoad"), tr("Load from file…"), [this] { load(); });
    m_save = button(QStringLiteral("editSave"), tr("Save to file…"), [this] { save(); });
    m_said = new PlainLabel({}, m_content);
    m_said->setObjectName(QStringLiteral("editSaid"));
    m_said->setWordWrap(true);
    m_said->setProperty("tone", QStringLiteral("muted"));
    buttons->addWidget(m_said, 1);
    m_outcome = new EditOutcome(m_plan, m_session, m_theme, m_content);
    connect(m_outcome, &EditOutcome::resized, this, &EditChoice::resized);
    auto *layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(m_rows);
    layout->addLayout(buttons);
    layout->addWidget(m_outcome);
    this->layout()->addWidget(m_content);
}

void EditChoice::addStep(const TypedStep &step)
{
    auto *row = new StepRow(step, m_theme, m_content);
    guardFromWheel(row);
    connect(row, &StepRow::edited, this, &EditChoice::tell);
    connect(row, &StepRow::removeWanted, this, [this, row] { removeStep(row); });
    connect(row, &StepRow::upWanted, this, [this, row] { moveUp(row); });
    m_steps.append(row);
    m_rows->addWidget(row);
    numberRows();
}

void EditChoice::showSteps(const records::Edit &edit)
{
    for (StepRow *row : std::as_const(m_steps))
        row->deleteLater();
    m_steps.clear();
    for (const records::EditStep &step : edit.steps)
        addStep(TypedStep::of(step));
    Q_EMIT resized();
}

void EditChoice::removeStep(StepRow *row)
{
    m_steps.removeOne(row);
    m_rows->removeWidget(row);
    row->hide();
    row->deleteLater();
    numberRows();
    tell();
    m_fold->setFocus();
    Q_EMIT resized();
}

void EditChoice::moveUp(StepRow *row)
{
    const qsizetype at = m_steps.indexOf(row);
    if (at < 1)
        return;
    m_steps.move(at, at - 1);
    m_rows->removeWidget(row);
    m_rows->insertWidget(int(at) - 1, row);
    numberRows();
    tell();
}

void EditChoice::numberRows()
{
    for (qsizetype i = 0; i < m_steps.size(); ++i)
        m_steps.at(i)->setNumber(int(i) + 1);
}

void EditChoice::tell()
{
    QList<TypedStep> steps;
    for (const StepRow *row : std::as_const(m_steps))
        steps.append(row->step());
    // The first row exists from the start: while it is empty, there is no edit.
    if (steps.size() == 1 && steps.constFirst() == TypedStep{})
        steps.clear();
    m_said->clear();
    m_plan.setEdit(models::editOf(steps));
    Q_EMIT resized();
}

void EditChoice::refresh()
{
    const QString why = m_plan.preview().cannotEdit;
    const records::Edit &edit = m_plan.draft().plan.edit;
    m_fold->setEnabled(why.isEmpty() || m_fold->isChecked());
    m_fold->setToolTip(plainToolTip(models::visibleLine(why)));
    QString words = why.isEmpty() ? tr("Nothing is edited") : models::visibleLine(why);
    if (!edit.isEmpty())
        words = models::visibleLine(records::toSentence(edit));
    m_summary->setText(words);
    if (m_content == nullptr || m_content->isHidden())
        return;
    m_save->setEnabled(!edit.isEmpty());
    m_outcome->refresh();
}

void EditChoice::load()
{
    askToLoadEdit(this, [this](const core::Result<records::Edit> &edit) {
        if (!edit) {
            m_said->setText(models::visibleLine(edit.error().message));
            return;
        }
        showSteps(*edit);
        tell();
        m_said->setText(tr("Loaded %1 steps.", nullptr, int(edit->steps.size())).arg(edit->steps.size()));
    });
}

void EditChoice::save()
{
    askToSaveEdit(m_session, this, m_plan.draft().plan.edit, [this](const QString &path, const core::Result<> &done) {
        m_said->setText(done ? tr("Saved to %1.").arg(models::visibleLine(path))
                             : models::visibleLine(done.error().message));
    });
}

} // namespace views

#include "moc_editchoice.cpp"
