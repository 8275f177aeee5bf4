#include "views/retries/plan/dropschoice.h"

#include "models/common/formatters.h"
#include "models/retries/plantext.h"
#include "views/common/widgets/plaintext.h"

#include <QCheckBox>
#include <QVBoxLayout>

namespace views {

DropsChoice::DropsChoice(models::RetryPlan &plan, QWidget *parent)
    : QWidget(parent)
    , m_plan(plan)
    , m_words(new PlainLabel({}, this))
    , m_accept(new QCheckBox(this))
{
    m_words->setObjectName(QStringLiteral("planDrops"));
    m_words->setWordWrap(true);
    m_words->setProperty("tone", QStringLiteral("warn"));
    m_accept->setObjectName(QStringLiteral("planAcceptDrops"));
    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->addWidget(m_words);
    rows->addWidget(m_accept);
    // clicked, not toggled: only a choice of the person counts, not what refresh() sets
    connect(m_accept, &QCheckBox::clicked, &m_plan, &models::RetryPlan::setAcceptDrops);
}

bool DropsChoice::hasWords() const
{
    return !m_plan.preview().drops.isEmpty() || m_plan.draft().plan.acceptDrops;
}

void DropsChoice::refresh()
{
    const api::PlanPreview &preview = m_plan.preview();
    const bool accepted = m_plan.draft().plan.acceptDrops;
    m_words->setText(models::PlanText::drops(preview, accepted).join(QLatin1Char('\n')));
    m_accept->setText(preview.certainDrops > 0
                          ? tr("Send them anyway: %1 messages are lost", nullptr, int(preview.certainDrops))
                                .arg(models::formatNumber(preview.certainDrops))
                          : tr("Send without waiting for room: messages may be lost"));
    m_accept->setChecked(accepted);
}

} // namespace views

#include "moc_dropschoice.cpp"
