#include "models/messages/messagerows.h"

#include "backend/api/requests/queries.h"

namespace models {

namespace {

constexpr int rowsKept = 5000;
constexpr int questionsAtOnce = 2;
constexpr int wishesKept = 4; // pages that were scrolled past long ago are not requested

} // namespace

MessageRows::MessageRows(ConsoleSession &session, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_rows(rowsKept)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(std::chrono::milliseconds{0});
    connect(&m_soon, &QTimer::timeout, this, &MessageRows::askNext);
}

bool MessageRows::isFresh(core::MessageId id) const
{
    const Kept *kept = m_rows.object(id);
    return kept != nullptr && kept->generation == m_generation;
}

void MessageRows::put(const QList<records::FailedMessage> &rows)
{
    put(rows, m_generation);
}

void MessageRows::put(const QList<records::FailedMessage> &rows, int generation)
{
    for (const records::FailedMessage &row : rows)
        m_rows.insert(row.id, new Kept{row, generation});
}

void MessageRows::want(int page, const QList<core::MessageId> &ids)
{
    if (m_asked.contains(page) || ids.isEmpty())
        return;
    m_wishes.removeIf([page](const Wish &one) { return one.page == page; });
    m_wishes.append(Wish{page, ids});
    if (m_wishes.size() > wishesKept)
        m_wishes.removeFirst();
    m_soon.start();
}

void MessageRows::clear()
{
    ++m_generation;
    m_wishes.clear();
    m_asked.clear();
}

void MessageRows::askNext()
{
    while (!m_wishes.isEmpty() && m_asked.size() < questionsAtOnce) {
        const Wish wish = m_wishes.takeLast();
        m_asked.insert(wish.page);
        const int generation = m_generation;
        m_session.ask(this, api::MessageRowQuery{wish.ids},
                      [this, wish, generation](const core::Result<QList<records::FailedMessage>> &rows) {
                          take(wish, generation, rows);
                      });
    }
}

void MessageRows::take(const Wish &wish, int generation, const core::Result<QList<records::FailedMessage>> &rows)
{
    if (generation == m_generation)
        m_asked.remove(wish.page);
    if (rows) {
        put(*rows, generation);
        Q_EMIT arrived(wish.ids);
    } else {
        Q_EMIT failed(rows.error());
    }
    askNext();
}

} // namespace models

#include "moc_messagerows.cpp"
