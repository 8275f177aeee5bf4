#include "views/mainwindow/controllers/closequestion.h"

#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"

#include <QPushButton>
#include <QVBoxLayout>

namespace views {

CloseQuestion::CloseQuestion(const QString &situation, QWidget *parent)
    : QDialog(parent)
{
    constexpr int width = 460;
    setObjectName(QStringLiteral("closeQuestion"));
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(true);
    setWindowTitle(tr("Close Redrive"));
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(16, 14, 16, 8);
    layout->setSpacing(4);
    auto *what = new PlainLabel(situation);
    what->setObjectName(QStringLiteral("closeSituation"));
    what->setProperty("strong", true);
    what->setWordWrap(true);
    layout->addWidget(what);
    layout->addSpacing(8);
    addWay(layout, Way::GoOnWithoutWindow, QStringLiteral("closeGoOn"), tr("Keep running without the window"),
           tr("Redrive finishes the retries, then exits. Start Redrive again to watch them."));
    addWay(layout, Way::FinishBatches, QStringLiteral("closeFinish"), tr("Finish the current batches, then close"),
           tr("Redrive pauses the retries and sends nothing new. Resume them at the next start."));
    addWay(layout, Way::CloseNow, QStringLiteral("closeNow"), tr("Close now"),
           tr("Safe: messages that are already with the broker stay there. The retries continue at the next start."));
    auto *foot = new DialogFoot(this);
    foot->addStretch();
    QPushButton *stay = foot->addLeave(QStringLiteral("closeStay"), tr("Keep open"));
    foot->setAct(DialogFoot::Act::CannotBeUndone);
    connect(stay, &QPushButton::clicked, this, &QDialog::reject);
    frameDialog(*this, {nullptr, body, foot});
    fitDialog(*this, width);
    foot->focusDefault();
}

void CloseQuestion::addWay(QVBoxLayout *layout, Way way, const QString &objectName, const QString &text,
                           const QString &meaning)
{
    auto *button = new QPushButton(text);
    button->setObjectName(objectName);
    button->setAccessibleDescription(meaning);
    button->setAutoDefault(false);
    auto *words = new PlainLabel(meaning);
    words->setObjectName(QStringLiteral("muted"));
    words->setWordWrap(true);
    layout->addWidget(button);
    layout->addWidget(words);
    layout->addSpacing(8);
    connect(button, &QPushButton::clicked, this, [this, way] {
        Q_EMIT chosen(way);
        accept();
    });
}

} // namespace views

#include "moc_closequestion.cpp"
