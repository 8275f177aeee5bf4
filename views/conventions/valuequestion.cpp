#include "views/conventions/valuequestion.h"

#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"

#include <QLineEdit>
#include <QVBoxLayout>

namespace views {

ValueQuestion::ValueQuestion(const QString &title, const QString &value, QWidget *parent)
    : QDialog(parent)
{
    constexpr int width = 420;
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("conventionValue"));
    setWindowTitle(title);
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *label = new PlainLabel(tr("* stands for any text, ? for one character:"), body);
    m_line = new QLineEdit(value, body);
    m_line->setObjectName(QStringLiteral("conventionValueLine"));
    m_line->setAccessibleName(title);
    label->setBuddy(m_line);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 14, 16, 14);
    column->addWidget(label);
    column->addWidget(m_line);
    auto *foot = new DialogFoot(this);
    foot->addStretch();
    const QPushButton *cancel = foot->addLeave(QStringLiteral("conventionValueCancel"), tr("Cancel"));
    const QPushButton *set =
        foot->addPrimary(QStringLiteral("conventionValueSet"), tr("Set value"), DialogFoot::Act::CanBeUndone);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(set, &QPushButton::clicked, this, &QDialog::accept);
    frameDialog(*this, {nullptr, body, foot});
    fitDialog(*this, width);
    m_line->setFocus();
}

QString ValueQuestion::value() const
{
    return m_line->text();
}

} // namespace views

#include "moc_valuequestion.cpp"
