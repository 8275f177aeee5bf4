#include "views/common/widgets/dialogfoot.h"

#include "views/common/widgets/plaintext.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace views {

DialogFoot::DialogFoot(QWidget *dialog)
    : QWidget(dialog)
    , m_column(new QVBoxLayout(this))
    , m_row(new QHBoxLayout)
{
    setObjectName(QStringLiteral("dialogFoot"));
    setAttribute(Qt::WA_StyledBackground);
    m_column->setContentsMargins(16, 10, 16, 10);
    m_column->addLayout(m_row);
}

PlainLabel *DialogFoot::makeAnswer(const QString &objectName)
{
    auto *answer = new PlainLabel({}, this);
    answer->setObjectName(objectName);
    answer->setWordWrap(true);
    return answer;
}

PlainLabel *DialogFoot::addAnswer(const QString &objectName)
{
    PlainLabel *answer = makeAnswer(objectName);
    m_row->addWidget(answer, 1);
    return answer;
}

PlainLabel *DialogFoot::addAnswerAbove(const QString &objectName, int lines)
{
    PlainLabel *answer = makeAnswer(objectName);
    answer->setMinimumHeight(lines * answer->fontMetrics().lineSpacing());
    answer->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_column->insertWidget(0, answer);
    return answer;
}

void DialogFoot::addStretch()
{
    m_row->addStretch(1);
}

QPushButton *DialogFoot::addPlain(const QString &objectName, const QString &text, const QPushButton *before)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(objectName);
    button->setAutoDefault(false);
    m_row->insertWidget(before != nullptr ? m_row->indexOf(before) : -1, button);
    return button;
}

QPushButton *DialogFoot::addPrimary(const QString &objectName, const QString &text)
{
    QPushButton *button = addPlain(objectName, text);
    button->setProperty("primary", true);
    return button;
}

} // namespace views
