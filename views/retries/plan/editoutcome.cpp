#include "views/retries/plan/editoutcome.h"

#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "models/retries/plantext.h"
#include "views/common/lists/emptystate.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/elidedlabel.h"
#include "views/edits/differenceview.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

namespace views {

namespace {

constexpr int sampleHeight = 168;

} // namespace

EditOutcome::EditOutcome(models::RetryPlan &plan, models::ConsoleSession &session, const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_plan(plan)
    , m_samples(session, plan.draft().filter)
    , m_fits(new PlainLabel({}, this))
    , m_counters(new PlainLabel({}, this))
    , m_reasons(new QVBoxLayout)
    , m_words(new ElidedLabel({}, this))
    , m_difference(new DifferenceView(theme))
{
    m_fits->setObjectName(QStringLiteral("editFits"));
    m_fits->setWordWrap(true);
    m_counters->setObjectName(QStringLiteral("editCounters"));
    m_counters->setProperty("tone", QStringLiteral("muted"));
    m_counters->setWordWrap(true);
    m_counters->hide();
    m_words->setObjectName(QStringLiteral("editSampleWords"));
    m_words->setProperty("tone", QStringLiteral("muted"));
    const auto flat = [&](const QString &name, const QString &text, const QString &words) {
        auto *button = new QToolButton(this);
        button->setObjectName(QStringLiteral("flat"));
        button->setProperty("name", name);
        button->setText(text);
        button->setAccessibleName(words);
        button->setToolTip(plainToolTip(words));
        button->setFocusPolicy(Qt::StrongFocus);
        return button;
    };
    m_previous = flat(QStringLiteral("samplePrevious"), tr("‹ Previous"), tr("Previous sample"));
    m_next = flat(QStringLiteral("sampleNext"), tr("Next ›"), tr("Next sample"));
    m_changes = new ListOrState(m_difference, this);
    m_changes->setObjectName(QStringLiteral("editSample"));
    m_changes->setFixedHeight(sampleHeight);
    m_reasons->setSpacing(2);
    auto *row = new QHBoxLayout;
    row->addWidget(m_words, 1);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_fits);
    layout->addLayout(m_reasons);
    layout->addLayout(row);
    layout->addWidget(m_changes);
    layout->addWidget(m_counters);
    connect(m_previous, &QToolButton::clicked, &m_samples, &models::EditSamples::previous);
    connect(m_next, &QToolButton::clicked, &m_samples, &models::EditSamples::next);
    connect(&m_samples, &models::EditSamples::changed, this, &EditOutcome::showSample);
    showSample();
}

void EditOutcome::setActive(bool active)
{
    m_active = active;
    refresh();
}

void EditOutcome::refresh()
{
    if (!m_active)
        return;
    const records::Edit &edit = m_plan.draft().plan.edit;
    const bool counted = m_plan.isPreviewed();
    if (counted)
        m_fits->setText(models::PlanText::editFits(m_plan.preview(), edit));
    else
        m_fits->setText(m_plan.state() == models::RetryPlan::State::Asking ? tr("Checking every message…")
                                                                           : models::visibleLine(m_plan.problem()));
    m_fits->setVisible(!m_fits->text().isEmpty());
    showMisfits();
    // Only once the plan has its answer: until then the person may still be typing.
    const bool asksEndpoints = m_plan.draft().plan.askEndpoints;
    if (counted && !edit.isEmpty() && (m_asked != edit || m_askedEndpoints != asksEndpoints)) {
        m_asked = edit;
        m_askedEndpoints = asksEndpoints;
        m_samples.show(edit, asksEndpoints);
    }
    showSample();
}

void EditOutcome::showMisfits()
{
    const bool hasEdit = !m_plan.draft().plan.edit.isEmpty();
    const QList<records::EditMisfit> misfits = hasEdit ? m_plan.preview().misfits : QList<records::EditMisfit>();
    if (misfits == m_shown)
        return;
    m_shown = misfits;
    while (QLayoutItem *item = m_reasons->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    for (const records::EditMisfit &misfit : misfits) {
        auto *line = new QWidget(this);
        auto *words = new PlainLabel(
            tr("%1 left out: %2").arg(models::formatNumber(misfit.count), models::visibleLine(misfit.reason)), line);
        words->setProperty("tone", QStringLiteral("warn"));
        words->setWordWrap(true);
        auto *show = new QPushButton(tr("Show example"), line);
        show->setObjectName(QStringLiteral("editShowMisfit"));
        show->setAutoDefault(false);
        connect(show, &QPushButton::clicked, this, [this, misfit] { m_samples.jumpTo(misfit.example); });
        auto *row = new QHBoxLayout(line);
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(words, 1);
        row->addWidget(show);
        m_reasons->addWidget(line);
    }
    Q_EMIT resized();
}

void EditOutcome::showSample()
{
    m_words->setText(m_samples.text());
    m_counters->setText(m_plan.draft().plan.edit.isEmpty() ? QString() : m_samples.counters());
    if (m_counters->isHidden() != m_counters->text().isEmpty()) {
        m_counters->setVisible(!m_counters->text().isEmpty());
        Q_EMIT resized();
    }
    m_previous->setEnabled(m_samples.hasPrevious() && !m_samples.isAsking());
    m_next->setEnabled(m_samples.hasNext() && !m_samples.isAsking());
    const api::EditSample &sample = m_samples.sample();
    if (m_plan.draft().plan.edit.isEmpty())
        m_changes->showState(tr("Nothing changes yet"), tr("Fill in the step above. Its changes appear here."));
    else if (!m_samples.error().isEmpty())
        m_changes->showState(tr("No sample"), m_samples.error());
    else if (!sample.misfit.isEmpty())
        m_changes->showState(tr("This message is left out"), models::visibleLine(sample.misfit));
    else if (!sample.message.isValid())
        m_changes->showState(tr("Looking for a message that the edit changes…"), {});
    else if (m_samples.difference().isEmpty())
        m_changes->showState(tr("This message stays unchanged"),
                             tr("The edit finds nothing to change in this message."));
    else {
        m_difference->present(m_samples.difference(), {}, sample.additions());
        m_changes->showList();
    }
}

} // namespace views

#include "moc_editoutcome.cpp"
