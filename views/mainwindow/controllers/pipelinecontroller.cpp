#include "views/mainwindow/controllers/pipelinecontroller.h"

#include "views/pipelines/pipelinespage.h"

namespace views {

PipelineController::PipelineController(MainWindow &window)
    : QObject(&window)
    , m_window(window)
    , m_page(new PipelinesPage(window.console()))
{
    window.addPage(m_page, tr("Pipelines"), ActionId::ShowPipelines);
    connect(m_page, &PipelinesPage::pipelinesChanged, this, &PipelineController::update);
    connect(m_page, &PipelinesPage::added, this, [this] {
        update();
        m_window.showPage(m_page);
    });
    connect(window.action(ActionId::AddPipeline), &QAction::triggered, m_page, &PipelinesPage::addPipeline);
    connect(window.action(ActionId::RemovePipeline), &QAction::triggered, m_page, &PipelinesPage::askToRemove);
    update();
}

void PipelineController::update()
{
    const bool isShown = m_page->hasPipelines();
    m_window.setPageShown(m_page, isShown);
    for (const ActionId id : {ActionId::ShowPipelines, ActionId::RemovePipeline})
        m_window.action(id)->setVisible(isShown);
}

} // namespace views

#include "moc_pipelinecontroller.cpp"
