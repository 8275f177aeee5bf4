#include "views/conventions/trialview.h"

#include "models/common/formatters.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/plaintext.h"
#include "views/edits/differenceview.h"

#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr qsizetype longestFact = 160; // characters

QString causeOf(const api::ReadMessage &read)
{
    const QString type = models::visibleLine(read.failure.exceptionType, longestFact);
    const QString message = models::visibleLine(read.failure.exceptionMessage, longestFact);
    if (type.isEmpty() || message.isEmpty())
        return type.isEmpty() && message.isEmpty() ? TrialView::tr("unknown") : type + message;
    return type + QStringLiteral(": ") + message;
}

QString returnsTo(const api::ReadMessage &read)
{
    if (read.destination.queue.isEmpty())
        return TrialView::tr("unknown");
    return TrialView::tr("%1 (%2)").arg(models::visibleLine(read.destination.queue),
                                        models::textOf(read.destination.certainty));
}

QString sends(const api::ReadMessage &read)
{
    return read.cannotGoBack.isEmpty() ? TrialView::tr("can be retried") : models::visibleLine(read.cannotGoBack);
}

} // namespace

TrialView::TrialView(const Theme &theme, models::ConventionTrials &trials, QWidget *parent)
    : QWidget(parent)
    , m_trials(trials)
    , m_words(new PlainLabel({}, this))
    , m_previous(new QPushButton(tr("Previous"), this))
    , m_next(new QPushButton(tr("Next"), this))
    , m_difference(new DifferenceView(theme, this))
{
    m_difference->setAccessibleName(tr("What is sent otherwise"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(makeHead());
    column->addWidget(makeFacts());
    column->addWidget(m_difference, 1);
    connect(&trials, &models::ConventionTrials::changed, this, &TrialView::update);
    update();
}

QWidget *TrialView::makeHead()
{
    auto *head = new QWidget(this);
    m_words->setObjectName(QStringLiteral("trialWords"));
    m_words->setProperty("strong", true);
    m_words->setWordWrap(true);
    m_previous->setObjectName(QStringLiteral("trialPrevious"));
    m_previous->setAccessibleName(tr("Previous message"));
    m_next->setObjectName(QStringLiteral("trialNext"));
    m_next->setAccessibleName(tr("Next message"));
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_words, 1);
    for (QPushButton *button : {m_previous, m_next}) {
        button->setAutoDefault(false);
        row->addWidget(button);
    }
    connect(m_previous, &QPushButton::clicked, &m_trials, &models::ConventionTrials::previous);
    connect(m_next, &QPushButton::clicked, &m_trials, &models::ConventionTrials::next);
    return head;
}

QWidget *TrialView::makeFacts()
{
    m_facts = new QWidget(this);
    auto *grid = new QGridLayout(m_facts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    const auto muted = [this](const QString &text) {
        auto *label = new PlainLabel(text, m_facts);
        label->setProperty("tone", QStringLiteral("muted"));
        return label;
    };
    grid->addWidget(muted(tr("Now")), 0, 1);
    grid->addWidget(muted(tr("With the convention")), 0, 2);
    const std::array<QString, lineCount> names{tr("Cause"), tr("Group"), tr("Returns to"), tr("Retry")};
    for (int line = 0; line < lineCount; ++line) {
        grid->addWidget(muted(names.at(size_t(line))), line + 1, 0, Qt::AlignTop);
        for (auto *labels : {&m_before, &m_after}) {
            auto *label = new PlainLabel({}, m_facts);
            label->setObjectName(
                (labels == &m_before ? QStringLiteral("trialBefore%1") : QStringLiteral("trialAfter%1")).arg(line));
            label->setWordWrap(true);
            labels->at(size_t(line)) = label;
            grid->addWidget(label, line + 1, labels == &m_before ? 1 : 2, Qt::AlignTop);
        }
    }
    return m_facts;
}

void TrialView::setLine(Line line, const QString &before, const QString &after)
{
    m_before.at(line)->setText(before);
    m_after.at(line)->setText(after);
    m_after.at(line)->setAccessibleName(after);
    setStyleProperty(m_after.at(line), "strong", before != after);
}

void TrialView::clear(const QString &words)
{
    m_words->setText(words);
    m_facts->setVisible(false);
    m_difference->setVisible(false);
}

void TrialView::update()
{
    m_previous->setVisible(m_trials.count() > 1);
    m_next->setVisible(m_trials.count() > 1);
    m_previous->setEnabled(m_trials.hasPrevious());
    m_next->setEnabled(m_trials.hasNext());
    const api::ConventionTrial *trial = m_trials.trial();
    if (trial == nullptr)
        return clear(m_trials.error().isEmpty() ? tr("No message to try it on.")
                                                : models::visibleLine(m_trials.error()));
    const QString place =
        tr("Message %1 of %2").arg(models::formatNumber(m_trials.at() + 1), models::formatNumber(m_trials.count()));
    if (!trial->unreadable.isEmpty())
        return clear(tr("%1 cannot be read: %2").arg(place, models::visibleLine(trial->unreadable)));
    m_words->setText(trial->applies ? place : tr("%1. The convention is not for it.").arg(place));
    m_facts->setVisible(true);
    setLine(Cause, causeOf(trial->before), causeOf(trial->after));
    setLine(Group, models::visibleLine(trial->before.group), models::visibleLine(trial->after.group));
    setLine(ReturnsTo, returnsTo(trial->before), returnsTo(trial->after));
    setLine(Sends, sends(trial->before), sends(trial->after));
    const bool isSentOtherwise = !m_trials.difference().isEmpty();
    m_difference->setVisible(isSentOtherwise);
    if (isSentOtherwise)
        m_difference->present(m_trials.difference());
}

} // namespace views

#include "moc_trialview.cpp"
