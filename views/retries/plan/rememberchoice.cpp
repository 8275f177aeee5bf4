#include "views/retries/plan/rememberchoice.h"

#include "models/retries/plantext.h"
#include "views/common/widgets/plaintext.h"

#include <QCheckBox>
#include <QVBoxLayout>

#include <algorithm>

namespace views {

namespace {

constexpr qsizetype mostBoxes = 4;
constexpr int longestBox = 640; // pixels; a check box does not wrap its text

} // namespace

RememberChoice::RememberChoice(models::RetryPlan &plan, QWidget *parent)
    : QWidget(parent)
    , m_plan(plan)
    , m_column(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("planRemember"));
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
}

void RememberChoice::refresh()
{
    const QList<records::Redirect> redirects = m_plan.rememberable();
    if (redirects == m_shown)
        return;
    m_shown = redirects;
    while (QLayoutItem *item = m_column->takeAt(0)) {
        item->widget()->hide(); // deleted later: it may be the one that was clicked
        item->widget()->deleteLater();
        delete item;
    }
    if (redirects.size() > mostBoxes) {
        addBox(tr("From now on, all %1 redirects of this plan hold for every retry").arg(redirects.size()), redirects);
        return;
    }
    for (const records::Redirect &one : redirects)
        addBox(models::PlanText::remember(one), {one});
}

void RememberChoice::addBox(const QString &text, const QList<records::Redirect> &redirects)
{
    auto *box = new QCheckBox(this);
    box->setObjectName(QStringLiteral("rememberBox"));
    box->setText(withoutMnemonics(box->fontMetrics().elidedText(text, Qt::ElideMiddle, longestBox)));
    box->setAccessibleName(text);
    box->setToolTip(
        plainToolTip(text + QLatin1Char('\n')
                     + tr("A standing redirect, stored when this retry starts. It holds for every later retry "
                          "of this connection until somebody removes it.")));
    box->setChecked(std::all_of(redirects.cbegin(), redirects.cend(),
                                [this](const records::Redirect &one) { return m_plan.isRemembered(one.from); }));
    connect(box, &QCheckBox::toggled, this, [this, redirects](bool on) {
        for (const records::Redirect &one : redirects)
            m_plan.setRemembered(one.from, on);
    });
    m_column->addWidget(box);
    box->show();
}

} // namespace views

#include "moc_rememberchoice.cpp"
