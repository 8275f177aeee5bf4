#include "views/common/lists/emptystate.h"

#include "views/common/theme/styleproperty.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace views {

ListOrState::ListOrState(QWidget *list, QWidget *parent)
    : QStackedWidget(parent)
    , m_title(new PlainLabel)
    , m_sentence(new PlainLabel)
    , m_action(new QPushButton)
{
    auto *state = new QWidget;
    state->setObjectName(QStringLiteral("statePane"));
    state->setAttribute(Qt::WA_StyledBackground);
    m_title->setObjectName(QStringLiteral("stateTitle"));
    m_sentence->setObjectName(QStringLiteral("stateSentence"));
    m_action->setObjectName(QStringLiteral("stateAction"));
    m_action->hide(); // until a state has one
    m_title->setAlignment(Qt::AlignCenter);
    m_sentence->setAlignment(Qt::AlignCenter);
    m_sentence->setWordWrap(true);
    auto *layout = new QVBoxLayout(state);
    layout->addStretch(2);
    layout->addWidget(m_title);
    layout->addWidget(m_sentence);
    layout->addSpacing(6);
    layout->addWidget(m_action, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    addWidget(list);
    addWidget(state);
    connect(m_action, &QPushButton::clicked, this, &ListOrState::actionRequested);
}

QSize ListOrState::minimumSizeHint() const
{
    return currentWidget()->minimumSizeHint().expandedTo(currentWidget()->minimumSize());
}

bool ListOrState::hasHeightForWidth() const
{
    return currentWidget()->hasHeightForWidth();
}

int ListOrState::heightForWidth(int width) const
{
    return currentWidget()->heightForWidth(width);
}

void ListOrState::showList()
{
    setCurrentIndex(0);
    updateGeometry();
}

void ListOrState::showState(const QString &title, const QString &sentence, const QString &action)
{
    m_title->setText(title);
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    m_action->setText(withoutMnemonics(action));
    m_action->setVisible(!action.isEmpty());
    setCurrentIndex(1);
    updateGeometry();
}

void ListOrState::focusContent()
{
    QWidget *content = this;
    if (showsList())
        content = widget(0);
    content->setFocus(Qt::ShortcutFocusReason);
}

void ListOrState::setProminent(bool prominent)
{
    setStyleProperty(m_action, "primary", prominent);
}

} // namespace views

#include "moc_emptystate.cpp"
