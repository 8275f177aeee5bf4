#pragma once

#include "models/pipelines/pipelinelistmodel.h"
#include "models/session/enginecall.h"

#include <QTimer>

namespace models {

// Reads the pipelines, and the tables of the chosen one while the page is active: at once, and then every 30 s. GUI
// thread.
class PipelinesFeed final : public QObject
{
    Q_OBJECT

public:
    explicit PipelinesFeed(ConsoleSession &session, QObject *parent = nullptr);

    [[nodiscard]] const QList<records::Pipeline> &pipelines() const { return m_pipelines; }
    [[nodiscard]] const records::Pipeline *chosen() const { return pipeline(m_chosen); } // null: there is none
    [[nodiscard]] const api::PipelineReading &reading() const { return m_reading; }
    [[nodiscard]] bool hasReading() const { return m_hasReading; } // of the chosen pipeline
    [[nodiscard]] QString error() const { return m_error; }
    [[nodiscard]] api::StepQueues queuesOf(records::PipelineStep step) const;
    // How many rows the list has, "1,000+" if there are more; empty before the first reading.
    [[nodiscard]] QString countText(PipelineList list) const;
    [[nodiscard]] QString sqlOf(records::PipelineStep step) const;

    void setActive(bool active);
    void choose(core::PipelineId id);
    void chooseAdded(core::PipelineId id); // one that the list does not have yet
    void remove(core::PipelineId id);
    void reload() { m_read.refresh(); }
    // Why the event of this task cannot be raised now; empty: it can.
    [[nodiscard]] QString raiseRefusal() const;
    void raise(core::PipelineId pipeline, const records::PipelineTask &shown);

    static constexpr int rowsAtMost = 1000;

Q_SIGNALS:
    void pipelinesChanged();
    void readingChanged(); // or its error

private:
    [[nodiscard]] const records::Pipeline *pipeline(core::PipelineId id) const;
    void listPipelines();
    void takeList(const core::Result<QList<records::Pipeline>> &all);
    void read();
    void take(const core::Result<api::PipelineReading> &reading);
    void takeRaised(const core::Result<api::RaisedEvent> &raised);

    ConsoleSession &m_session;
    QTimer m_refresh;
    QList<records::Pipeline> m_pipelines;
    core::PipelineId m_chosen;
    core::PipelineId m_added; // chosen when the list has it
    api::PipelineReading m_reading;
    QString m_error;
    bool m_hasReading = false;
    bool m_isListed = false; // the pipelines are known
    EngineCall m_list;
    EngineCall m_read;
};

} // namespace models
