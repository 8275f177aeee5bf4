#pragma once

#include <QDialog>

class QAction;

namespace views {

// "?": every key of the window.
class KeySheet final : public QDialog
{
    Q_OBJECT

public:
    KeySheet(const QList<QAction *> &actions, QWidget *parent);
};

} // namespace views
