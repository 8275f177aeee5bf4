#include "views/retries/stagecard.h"

#include "models/common/glossary.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/plaintext.h"

#include <QProgressBar>
#include <QVBoxLayout>

namespace views {

namespace {

constexpr int barSteps = 1000;

QString accentOf(const models::BatchCard &card, records::BatchStage stage)
{
    if (card.troubled)
        return QStringLiteral("warn");
    if (card.sentNothing)
        return QStringLiteral("none");
    return stage == records::BatchStage::Done ? QStringLiteral("ok") : QStringLiteral("accent");
}

void setLine(QLabel *label, const QString &text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

} // namespace

StageCard::StageCard(QWidget *parent)
    : QFrame(parent)
    , m_title(new PlainLabel({}, this))
    , m_bar(new QProgressBar(this))
    , m_line(new PlainLabel({}, this))
    , m_staging(new PlainLabel({}, this))
{
    setObjectName(QStringLiteral("stageCard"));
    m_bar->setRange(0, barSteps);
    m_title->setWordWrap(true);
    m_line->setWordWrap(true);
    m_line->setProperty("tone", QStringLiteral("muted"));
    m_staging->setToolTip(plainToolTip(models::explained(models::Term::Staging)));
    m_staging->setProperty("mono", true);
    m_staging->setProperty("tone", QStringLiteral("muted"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(7, 5, 4, 5);
    layout->setSpacing(2);
    for (QWidget *part : {static_cast<QWidget *>(m_title), static_cast<QWidget *>(m_bar),
                          static_cast<QWidget *>(m_line), static_cast<QWidget *>(m_staging)})
        layout->addWidget(part);
}

void StageCard::show(const models::BatchCard &card, records::BatchStage stage)
{
    m_title->setText(card.title);
    m_bar->setVisible(card.progress.has_value());
    m_bar->setValue(int(card.progress.value_or(0) * barSteps));
    m_bar->setFormat(card.progressText);
    setLine(m_line, card.line);
    setLine(m_staging, card.stagingId.isEmpty() ? QString() : tr("staging %1").arg(card.stagingId));
    setAccessibleName(QStringList{card.title, card.progressText, card.line}.join(QStringLiteral(", ")));
    setStyleProperty(this, "accent", accentOf(card, stage));
}

} // namespace views

#include "moc_stagecard.cpp"
