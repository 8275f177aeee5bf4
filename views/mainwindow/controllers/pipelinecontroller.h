#pragma once

#include "views/mainwindow/mainwindow.h"

namespace views {

class PipelinesPage;

// Adds the pipelines to the window: the Pipelines page, which is absent while there is no pipeline, and the commands that
// add and remove one. Lives as long as the window. GUI thread.
class PipelineController final : public QObject
{
    Q_OBJECT

public:
    explicit PipelineController(MainWindow &window);

private:
    void update();

    MainWindow &m_window;
    PipelinesPage *m_page;
};

} // namespace views
