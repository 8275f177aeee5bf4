#include "backend/pipeline/databaserunner.h"

#include "backend/core/time/durationtext.h"
#include "backend/pipeline/databaseerror.h"
#include "backend/pipeline/text.h"

#include <QTimer>

namespace pipeline {

DatabaseRunner::DatabaseRunner(core::Milliseconds timeLimit)
    : m_timeLimit(timeLimit)
{
    constexpr int mostThreads = 8;
    m_threads.setMaxThreadCount(mostThreads);
}

DatabaseRunner::~DatabaseRunner()
{
    cancelAll();
    m_threads.waitForDone();
}

core::Error DatabaseRunner::cancelled()
{
    return {core::ErrorKind::Cancelled, Text::tr("Redrive is closing: the database was not asked."), {}, {}};
}

void DatabaseRunner::cancelAll()
{
    m_isCancelled = true;
    while (!m_running.empty())
        end(m_running.begin()->first, cancelled());
}

void DatabaseRunner::start(Place place, std::function<void(core::Result<std::unique_ptr<TaskDatabase>>)> work,
                           std::function<void()> done, std::function<void(const core::Error &)> giveUp)
{
    if (m_isCancelled) {
        giveUp(cancelled());
        return;
    }
    const auto interrupter = std::make_shared<Interrupter>();
    const quint64 number = ++m_lastNumber;
    m_running.emplace(number, Running{interrupter, unknownCommitError(place.url), std::move(giveUp)});
    const QString text = Text::tr("The database %1 did not answer within %2. Check it, then try again.")
                             .arg(place.url.place(), core::durationText(m_timeLimit));
    QTimer::singleShot(m_timeLimit, this, [this, number, text] {
        end(number, {core::ErrorKind::Transient, text, {}, {}});
    });
    m_threads.start([this, number, interrupter, place = std::move(place), work = std::move(work),
                     done = std::move(done)]() mutable {
        if (!interrupter->isInterrupted())
            work(TaskDatabase::open(place.url, place.password, place.access, interrupter));
        QMetaObject::invokeMethod(
            this,
            [this, number, done = std::move(done)] {
                if (m_running.erase(number) > 0)
                    done();
            },
            Qt::QueuedConnection);
    });
}

// The thread may go on for a while; nobody waits for its answer any more.
void DatabaseRunner::end(quint64 number, const core::Error &why)
{
    const auto found = m_running.find(number);
    if (found == m_running.end())
        return;
    const Running running = std::move(found->second);
    m_running.erase(found);
    running.interrupter->interrupt();
    running.giveUp(running.interrupter->mayHaveCommitted() ? running.unknownCommit : why);
}

} // namespace pipeline
