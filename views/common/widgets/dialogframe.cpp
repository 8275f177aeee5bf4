#include "views/common/widgets/dialogframe.h"

#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/growtofit.h"
#include "views/common/widgets/wheelguard.h"

#include <QDialog>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace views {

namespace {

constexpr int headStaysFrom = 560; // on lower screens head and foot would leave too little between them
constexpr QSize leastBody{160, 64};

QWidget *headAndBody(const DialogParts &parts, QDialog *dialog)
{
    auto *both = new QWidget(dialog);
    auto *column = new QVBoxLayout(both);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(parts.head);
    column->addWidget(parts.body, 1);
    return both;
}

} // namespace

DialogBody::DialogBody(QWidget *content, QWidget *parent)
    : QScrollArea(parent)
{
    setObjectName(QStringLiteral("dialogArea"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    guardFromWheel(content);
    setWidget(content);
}

QSize DialogBody::sizeHint() const
{
    return widget()->sizeHint();
}

QSize DialogBody::minimumSizeHint() const
{
    return leastBody;
}

int DialogBody::contentHeight(int width) const
{
    const int inner = std::max(width, widget()->minimumSizeHint().width());
    return widget()->hasHeightForWidth() ? widget()->heightForWidth(inner) : widget()->minimumSizeHint().height();
}

DialogBody *frameDialog(QDialog &dialog, const DialogParts &parts)
{
    auto *layout = new QVBoxLayout(&dialog);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    const bool scrollsHead = parts.head != nullptr && highestOnScreen(dialog) < headStaysFrom;
    if (parts.head != nullptr && !scrollsHead)
        layout->addWidget(parts.head);
    auto *area = new DialogBody(scrollsHead ? headAndBody(parts, &dialog) : parts.body, &dialog);
    layout->addWidget(area, 1);
    layout->addWidget(parts.foot);
    for (QPushButton *button : dialog.findChildren<QPushButton *>())
        button->setAutoDefault(false); // only the foot says what Enter presses
    return area;
}

void fitDialog(QDialog &dialog, int width, int height)
{
    const auto *body = dialog.findChild<DialogBody *>(QString(), Qt::FindDirectChildrenOnly);
    const int whole =
        body == nullptr ? 0 : body->widget()->minimumSizeHint().width() + body->verticalScrollBar()->sizeHint().width();
    dialog.resize(std::min(std::max(width, whole), widestOnScreen(dialog)), std::min(height, highestOnScreen(dialog)));
    if (height == 0)
        fitToContent(dialog);
}

} // namespace views

#include "moc_dialogframe.cpp"
