#include "views/mainwindow/shortcutsdialog.h"

#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"

#include <QAction>
#include <QGridLayout>

namespace views {

ShortcutsDialog::ShortcutsDialog(const QList<QAction *> &actions, QWidget *parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("keySheet"));
    setWindowTitle(tr("Keyboard shortcuts"));
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(true);
    QList<std::pair<QString, QString>> lines;
    for (const QAction *action : actions) {
        if (!action->shortcut().isEmpty())
            lines.append({action->shortcut().toString(QKeySequence::NativeText), action->text()});
    }
    lines.append({tr("F10"), tr("Open the menu bar")});
    lines.append({tr("Space"), tr("Select or deselect the row")});
    lines.append({tr("Shift+arrows"), tr("Select a range of rows")});
    lines.append({tr("Ctrl+A"), tr("Select everything in this filter")});
    lines.append({tr("Enter"), tr("Open the row")});
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *grid = new QGridLayout(body);
    grid->setContentsMargins(16, 14, 16, 14);
    constexpr int columns = 2;
    constexpr int columnGap = 18;
    grid->setHorizontalSpacing(columnGap);
    const qsizetype perColumn = (lines.size() + columns - 1) / columns;
    for (qsizetype i = 0; i < lines.size(); ++i) {
        auto *keys = new PlainLabel(lines.at(i).first);
        keys->setObjectName(QStringLiteral("muted"));
        const int column = int(i / perColumn) * 2;
        grid->addWidget(keys, int(i % perColumn), column);
        grid->addWidget(new PlainLabel(lines.at(i).second), int(i % perColumn), column + 1);
    }
    auto *foot = new DialogFoot(this);
    foot->addStretch();
    const QPushButton *close = foot->addLeave(QStringLiteral("keySheetClose"), tr("Close"));
    foot->setAct(DialogFoot::Act::CannotBeUndone); // so that Enter closes it
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    frameDialog(*this, {nullptr, body, foot});
    fitDialog(*this, body->sizeHint().width());
}

} // namespace views

#include "moc_shortcutsdialog.cpp"
