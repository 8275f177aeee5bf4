#pragma once

#include <QDialog>

class QAction;

namespace views {

// "?": every key of the window.
class ShortcutsDialog final : public QDialog
{
    Q_OBJECT

public:
    ShortcutsDialog(const QList<QAction *> &actions, QWidget *parent);
};

} // namespace views
