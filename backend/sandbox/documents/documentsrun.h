#pragma once

#include "backend/sandbox/documents/documentsscript.h"
#include "backend/sandbox/nservicebus/endpoint.h"

namespace sandbox {

// One run of "documents": requests that create orders and dispatch at once, an endpoint for documents that were set aside,
// and a sweep that finds those of which no message knows. The documents are in the folder of the run: one that was killed at
// any moment is continued by the next one. It counts the messages between documents; beside the common counts: `documents`,
// `conflicts`, `conflict_retries`, `conflicts_exhausted`, `set_aside`, `deaths`, `found_by_sweep`, `already_processed`. After a
// kill, those of retries, conflicts, deaths and documents set aside count what happened since. Contract of scenariorun.h;
// StoreFailed: the documents cannot be opened.
class DocumentsRun final : public ScenarioRun
{
public:
    DocumentsRun(DocumentsSettings settings, ScenarioContext context);

    [[nodiscard]] core::Result<> start() override;
    [[nodiscard]] bool isOver() const override { return m_isOver; }
    [[nodiscard]] core::Task<core::Result<QJsonObject>> report() override;
    void stop(std::function<void()> done) override;

private:
    [[nodiscard]] core::Task<> begin();
    [[nodiscard]] core::Task<> acceptOrders(int first);
    [[nodiscard]] core::Task<> request(int number);
    [[nodiscard]] core::Task<> setAside(QString document, Dispatcher::Caller caller);
    [[nodiscard]] core::Task<std::optional<HandlerFailure>> dispatchLater(Incoming incoming);
    [[nodiscard]] core::Task<> sweep();
    [[nodiscard]] Document newOrder(int number) const;
    [[nodiscard]] int numberOf(const Document &document) const; // in the ledger
    [[nodiscard]] bool isStuck(const Document &document) const;
    [[nodiscard]] core::Result<int> stuckDocuments();
    [[nodiscard]] int planned() const { return m_context.messages.value_or(m_settings.messages); }

    const DocumentsSettings m_settings;
    const ScenarioContext m_context;
    Ledger m_ledger; // of the documents that were set aside
    WorkerGroup m_group;
    DocumentStore m_store;
    std::unique_ptr<Dispatcher> m_dispatcher;
    Endpoint m_endpoint;
    ErrorQueueReturn m_return;
    std::shared_ptr<broker::Broker> m_broker;
    int m_requests = 0; // that have ended
    int m_setAside = 0;
    int m_foundBySweep = 0;
    bool m_isOver = false;
};

} // namespace sandbox
