#pragma once

#include "views/mainwindow/mainwindow.h"

namespace views {

// Adds to the window what moves messages in and out of files: the commands that export the selection and that import a
// file. Lives as long as the window. GUI thread.
class TransferController final : public QObject
{
    Q_OBJECT

public:
    explicit TransferController(MainWindow &window);

private:
    void update();
    void saveTable();

    MainWindow &m_window;
};

} // namespace views
