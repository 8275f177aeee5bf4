#pragma once

#include "backend/api/longwork.h"
#include "backend/core/longwork.h"

#include <QHash>

namespace engine {

class CommandTable;

// The commands that are being carried out and that somebody may ask about or cancel, by their tickets. Engine thread.
class WorkTickets final
{
public:
    static void addHandlers(CommandTable &table);

    // Begins a piece of work, which has ended when nobody holds the result any more. Null without a ticket.
    [[nodiscard]] core::LongWorkPtr begin(const QString &ticket);

private:
    [[nodiscard]] core::Result<api::WorkProgress> progress(const api::AskWork &request);
    [[nodiscard]] core::Result<> cancel(const api::CancelWork &request);
    [[nodiscard]] core::Result<core::LongWorkPtr> find(const QString &ticket);

    using Running = QHash<QString, std::weak_ptr<core::LongWork>>;
    Running m_running;
};

} // namespace engine
