#include "views/mainwindow/docktitle.h"

#include "views/common/widgets/plaintext.h"

#include <QAction>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QToolButton>

namespace views {

DockTitle::DockTitle(const Theme &theme, QDockWidget *dock)
    : QWidget(dock)
    , m_layout(new QHBoxLayout(this))
{
    setObjectName(QStringLiteral("dockTitle"));
    setAttribute(Qt::WA_StyledBackground);
    m_layout->setContentsMargins(10, 3, 5, 3);
    m_layout->setSpacing(2);
    auto *name = new PlainLabel(dock->windowTitle());
    m_layout->addWidget(name);
    m_layout->addStretch(1);
    m_place = m_layout->count();
    QToolButton *undock = button();
    undock->setIcon(theme.icon(QStringLiteral("float"), Token::Muted));
    undock->setToolTip(tr("Undock"));
    undock->setAccessibleName(tr("Undock %1").arg(dock->windowTitle()));
    connect(undock, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    QToolButton *close = button();
    close->setIcon(theme.icon(QStringLiteral("close"), Token::Muted));
    close->setToolTip(tr("Hide"));
    close->setAccessibleName(tr("Hide %1").arg(dock->windowTitle()));
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    m_layout->addWidget(undock);
    m_layout->addWidget(close);
    connect(dock, &QDockWidget::windowTitleChanged, name, &QLabel::setText);
}

QToolButton *DockTitle::button()
{
    auto *one = new QToolButton;
    one->setObjectName(QStringLiteral("flat"));
    one->setIconSize({14, 14});
    one->setFocusPolicy(Qt::TabFocus);
    return one;
}

void DockTitle::addAction(QAction *action)
{
    QToolButton *one = button();
    one->setDefaultAction(action);
    one->setAccessibleName(action->text());
    addWidget(one);
}

void DockTitle::addWidget(QWidget *widget)
{
    m_layout->insertWidget(m_place++, widget);
}

QDockWidget *makeDock(const Theme &theme, const QString &objectName, const QString &title, QWidget *content,
                      QWidget *parent)
{
    auto *dock = new QDockWidget(title, parent);
    dock->setObjectName(objectName);
    dock->setTitleBarWidget(new DockTitle(theme, dock));
    dock->setWidget(content);
    return dock;
}

} // namespace views

#include "moc_docktitle.cpp"
