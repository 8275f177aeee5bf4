#include "app/commandline/workline.h"

#include "app/commandline/text.h"

namespace commandline {

WorkLine::WorkLine(Context &context, QString ticket, QString doing)
    : m_context(context)
    , m_ticket(std::move(ticket))
    , m_doing(std::move(doing))
{
    lookLater();
}

WorkLine::~WorkLine()
{
    m_context.clock.cancel(m_timer);
    m_context.out.endProgress();
}

QString WorkLine::text(const QString &doing, const api::WorkProgress &progress)
{
    if (!progress.of)
        return Text::tr("%1: %2").arg(doing, Text::messages(progress.done));
    return Text::tr("%1: %2, %3 of %4")
        .arg(doing, bar(progress.done, *progress.of), QString::number(progress.done), Text::messages(*progress.of));
}

QString WorkLine::interruptedText()
{
    return Text::tr("Interrupted and cancelled. Nothing is lost: what was done until then stays as it is.");
}

void WorkLine::lookLater()
{
    m_timer = m_context.clock.after(between, [this] { look(); });
}

void WorkLine::look()
{
    api::whenDone(&m_guard, m_context.client.ask(api::AskWork{m_ticket}),
                  [this](const core::Result<api::WorkProgress> &now) {
                      if (now) {
                          m_seen = *now;
                          m_context.out.progress(text(m_doing, m_seen));
                      }
                      lookLater();
                  });
}

} // namespace commandline
