#include "views/pipelines/stepcolumn.h"

#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/plaintext.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace views {

StepColumn::StepColumn(const QString &name, const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("stepColumn"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(title);
    m_layout->setContentsMargins(10, 8, 10, 8);
    m_layout->setSpacing(4);
    auto *heading = new PlainLabel(title);
    heading->setObjectName(name);
    QFont font = heading->font();
    font.setBold(true);
    heading->setFont(font);
    m_layout->addWidget(heading);
}

void StepColumn::addText(const QString &text)
{
    auto *label = new PlainLabel(text);
    label->setWordWrap(true);
    label->setObjectName(QStringLiteral("muted"));
    m_layout->addWidget(label);
}

QPushButton *StepColumn::addCount(const QString &name, bool checkable)
{
    auto *button = new QPushButton;
    button->setObjectName(name);
    button->setCheckable(checkable);
    button->setProperty("stepCount", true);
    m_layout->addWidget(button);
    return button;
}

void StepColumn::finish()
{
    m_layout->addStretch(1);
}

void StepColumn::setCount(QPushButton *button, const QString &label, const QString &number, bool bad)
{
    const QString shown = number.isEmpty() ? QStringLiteral("–") : number;
    button->setText(withoutMnemonics(label) + QStringLiteral(":  ") + shown);
    button->setAccessibleName(label + QStringLiteral(": ") + shown);
    setStyleProperty(button, "bad", bad);
}

} // namespace views

#include "moc_stepcolumn.cpp"
