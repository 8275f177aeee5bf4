#include "backend/engine/upkeep/textindexer.h"

#include "backend/core/limits.h"
#include "backend/store/messages/messagestore.h"

#include <QLoggingCategory>

namespace engine {

namespace {
Q_LOGGING_CATEGORY(logIndexer, "redrive.engine.text")

constexpr core::Milliseconds pauseBetweenSteps{10};
} // namespace

TextIndexer::TextIndexer(store::Store &store, core::Clock &clock, std::function<void()> changed)
    : m_store(store)
    , m_clock(clock)
    , m_changed(std::move(changed))
{
}

TextIndexer::~TextIndexer()
{
    stop();
}

void TextIndexer::stop()
{
    m_stopped = true;
    m_clock.cancel(std::exchange(m_ticket, 0));
}

void TextIndexer::wake()
{
    if (m_ticket == 0)
        wait(core::limits::snapshotInterval);
}

void TextIndexer::wait(core::Milliseconds pause)
{
    if (m_stopped)
        return;
    m_ticket = m_clock.after(pause, [this] {
        m_ticket = 0;
        step();
    });
}

void TextIndexer::step()
{
    core::Result<store::TextProgress> progress =
        m_store.read<store::TextProgress>([](store::Session &session) { return session.messages().textProgress(); });
    if (progress && progress->isComplete())
        return; // usual case: no transaction
    if (progress)
        progress = m_store.transact<store::TextProgress>(
            [](store::Session &session) { return session.messages().indexText(); });
    if (!progress) {
        qCWarning(logIndexer) << "the text index cannot be updated:" << progress.error().message;
        return; // searches read the missing messages; the next change tries again
    }
    if (!progress->isComplete())
        wait(pauseBetweenSteps);
    m_changed();
}

} // namespace engine
