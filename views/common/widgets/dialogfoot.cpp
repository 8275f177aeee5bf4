#include "views/common/widgets/dialogfoot.h"

#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/plaintext.h"

#include <QKeyEvent>
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

// No button becomes the default by getting the focus.
QPushButton *DialogFoot::makeButton(const QString &objectName, const QString &text)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(objectName);
    button->setAutoDefault(false);
    return button;
}

QPushButton *DialogFoot::addPlain(const QString &objectName, const QString &text)
{
    QPushButton *button = makeButton(objectName, text);
    const QPushButton *next = m_leave != nullptr ? m_leave.data() : m_primary.data();
    m_row->insertWidget(next != nullptr ? m_row->indexOf(next) : -1, button);
    return button;
}

QPushButton *DialogFoot::addLeave(const QString &objectName, const QString &text)
{
    m_leave = makeButton(objectName, text);
    m_leave->installEventFilter(this);
    m_row->insertWidget(m_primary != nullptr ? m_row->indexOf(m_primary) : -1, m_leave);
    setAct(m_act);
    return m_leave;
}

QPushButton *DialogFoot::addPrimary(const QString &objectName, const QString &text, Act act)
{
    m_primary = makeButton(objectName, text);
    m_row->addWidget(m_primary);
    setAct(act);
    return m_primary;
}

void DialogFoot::setAct(Act act)
{
    m_act = act;
    const bool canBeUndone = act != Act::CannotBeUndone;
    if (m_primary != nullptr) {
        m_primary->setDefault(act == Act::CanBeUndone);
        setStyleProperty(m_primary, "primary", canBeUndone);
        setStyleProperty(m_primary, "bad", !canBeUndone);
    }
    if (m_leave != nullptr)
        m_leave->setDefault(act == Act::CannotBeUndone);
}

// Without this the dialog presses its default button, whatever has the focus: Enter on Cancel would do the act.
bool DialogFoot::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_leave && event->type() == QEvent::KeyPress) {
        const int key = static_cast<const QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            m_leave->click();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void DialogFoot::focusDefault()
{
    for (QPushButton *button : {m_leave.data(), m_primary.data()}) {
        if (button != nullptr && button->isDefault())
            button->setFocus();
    }
}

} // namespace views

#include "moc_dialogfoot.cpp"
