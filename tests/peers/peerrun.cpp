#include "tests/peers/peerrun.h"

#include <QRegularExpression>
#include <QTest>

#include <numeric>

namespace peers {

namespace {

constexpr int timeoutMs = 60000;
constexpr qsizetype charactersOfLog = 4000;

} // namespace

PeerRun::PeerRun(Peer peer)
    : m_peer(std::move(peer))
    , m_broker(brokerOf(m_peer))
{
}

QString PeerRun::missing() const
{
    const QString broker = m_broker->missing();
    if (!broker.isEmpty())
        return broker;
    return isInstalled(m_peer) ? QString() : m_peer.missing;
}

QString PeerRun::start()
{
    const QString wrong = m_broker->start();
    if (!wrong.isEmpty())
        return wrong;
    m_shop = std::make_unique<Shop>(m_peer, m_broker->address());
    m_shop->breakDown();
    return m_shop->open() ? QString() : QStringLiteral("The worker of %1 does not start.").arg(m_peer.name);
}

QList<int> PeerRun::failOrders(int count)
{
    QList<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), m_next);
    m_next += count;
    m_shop->breakDown();
    const bool failed = m_shop->send(numbers.constFirst(), count) && untilFailed(count);
    return failed ? numbers : QList<int>();
}

bool PeerRun::untilFailed(qint64 count)
{
    return QTest::qWaitFor([&] { return m_broker->depth(m_peer.errorQueue) == count; }, timeoutMs);
}

QString PeerRun::comeToRest()
{
    if (QTest::qWaitFor([this] { return underWay().isEmpty(); }, timeoutMs))
        return {};
    return QStringLiteral("The peer does not come to rest: %1.\n%2")
        .arg(underWay(), QString::fromUtf8(m_shop->log().right(charactersOfLog)));
}

QString PeerRun::underWay()
{
    QStringList found;
    for (const QString &queue : QStringList{m_peer.destination.queue} + m_peer.delayQueues) {
        if (const qint64 waiting = m_broker->depth(queue); waiting > 0)
            found.append(QStringLiteral("%1 in %2").arg(waiting).arg(queue));
    }
    const Shop::Counts tries = m_shop->tries();
    const Shop::Counts processed = m_shop->processed();
    for (auto one = tries.cbegin(); one != tries.cend(); ++one) {
        if (const int done = processed.value(one.key()); (one.value() - done) % m_peer.budget != 0)
            found.append(QStringLiteral("order %1 tried %2 times, done %3").arg(one.key()).arg(one.value()).arg(done));
    }
    return found.join(QStringLiteral(", "));
}

// In a text, or in what was base64 of it.
int PeerRun::orderOf(const records::Envelope &stored)
{
    static const QRegularExpression form(QStringLiteral("order-(\\d+)\\."));
    for (const QByteArray &text : {stored.body, QByteArray::fromBase64(stored.body)}) {
        const QRegularExpressionMatch match = form.match(QString::fromLatin1(text));
        if (match.hasMatch())
            return match.captured(1).toInt();
    }
    return -1;
}

} // namespace peers
