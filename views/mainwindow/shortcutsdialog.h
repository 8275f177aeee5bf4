#pragma once

#include <QDialog>

class QAction;

namespace views {

// Lists every keyboard shortcut of the window (key "?"). GUI thread.
class ShortcutsDialog final : public QDialog
{
    Q_OBJECT

public:
    ShortcutsDialog(const QList<QAction *> &actions, QWidget *parent);
};

} // namespace views
