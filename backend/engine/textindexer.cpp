#include "backend/engine/textindexer.h"

#include "backend/core/limits.h"
#include "backend/store/messagestore.h"

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
    store::TextProgress progress;
    const auto ask = [&progress](core::Result<store::TextProgress> (store::MessageStore::*question)()) {
        return [&progress, question](store::Session &session) -> core::Result<> {
            const core::Result<store::TextProgress> now = (session.messages().*question)();
            if (!now)
                return core::fail(now.error());
            progress = *now;
            return {};
        };
    };
    core::Result<> done = m_store.read(ask(&store::MessageStore::textProgress));
    if (done && progress.isComplete())
        return; // usual case: no transaction
    if (done)
        done = m_store.transact(ask(&store::MessageStore::indexText));
    if (!done) {
        qCWarning(logIndexer) << "the text index cannot be updated:" << done.error().message;
        return; // searches read the missing messages; the next change tries again
    }
    if (!progress.isComplete())
        wait(pauseBetweenSteps);
    m_changed();
}

} // namespace engine
