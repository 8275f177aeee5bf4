#include "tests/support/fakerabbit/fakeshovels.h"

#include <algorithm>
#include <cstring>

using namespace std::chrono_literals;

namespace support::fakerabbit {

namespace {

constexpr auto rest = 5s; // of one that broke
constexpr int perStep = 200; // messages delivered in one step; they are answered in the next

} // namespace

FakeShovels::FakeShovels(RabbitState &broker, core::Clock &clock)
    : m_broker(broker)
    , m_clock(clock)
{
}

QString FakeShovels::sourceOf(const Shovel &shovel)
{
    return shovel.definition.value(QLatin1String("src-queue")).toString();
}

Vhost *FakeShovels::hostOf(const Shovel &shovel, const char *uri)
{
    const QByteArray path =
        shovel.definition.value(QLatin1String(uri)).toString().toLatin1().mid(int(strlen("amqp:///")));
    return m_broker.vhost(path.isEmpty() ? QStringLiteral("/")
                                         : QString::fromUtf8(QByteArray::fromPercentEncoding(path)));
}

void FakeShovels::giveBack(const Shovel &shovel)
{
    Vhost *vhost = hostOf(shovel, "src-uri");
    if (vhost == nullptr)
        return;
    if (const auto source = vhost->queues.find(sourceOf(shovel)); source != vhost->queues.end())
        m_broker.requeue(*vhost, source->second);
}

void FakeShovels::put(Vhost &vhost, const QString &name, const QCborMap &definition)
{
    const auto found = vhost.shovels.find(name);
    if (found != vhost.shovels.end() && found->second.definition == definition)
        return;
    if (found != vhost.shovels.end())
        giveBack(found->second);
    Shovel shovel;
    shovel.name = name;
    shovel.definition = definition;
    shovel.changed = m_clock.now();
    shovel.stuck = m_stuck;
    vhost.endedShovels.erase(name);
    vhost.shovels[name] = std::move(shovel);
}

bool FakeShovels::remove(Vhost &vhost, const QString &name)
{
    const auto found = vhost.shovels.find(name);
    if (found == vhost.shovels.end())
        return false;
    giveBack(found->second);
    if (found->second.broken && m_broker.listsEndedShovels())
        vhost.endedShovels[name] = found->second;
    vhost.shovels.erase(found);
    return true;
}

void FakeShovels::start(Shovel &shovel)
{
    Vhost *from = hostOf(shovel, "src-uri");
    Vhost *to = hostOf(shovel, "dest-uri");
    if (from == nullptr || to == nullptr)
        return;
    const QString source = sourceOf(shovel);
    if (!from->queues.contains(source))
        from->queues[source] = RabbitState::makeQueue(source, {}); // plain and unbound, whatever it was before
    shovel.changed = m_clock.now();
    shovel.broken = false;
    ++shovel.starts;
    const QString exchange = shovel.definition.value(QLatin1String("dest-exchange")).toString();
    if (!exchange.isEmpty() && !to->exchanges.contains(exchange))
        return; // says "running", has no consumer and moves nothing
    const QCborValue after = shovel.definition.value(QLatin1String("src-delete-after"));
    if (after.isInteger())
        shovel.left = after.toInteger();
    else if (after.toString() == QLatin1String("queue-length"))
        shovel.left = from->queues[source].length();
    else
        shovel.left = std::numeric_limits<qint64>::max();
    shovel.running = true;
    shovel.consumerListedFrom = m_clock.steady() + 2500ms;
}

bool FakeShovels::move(Shovel &shovel)
{
    Vhost *from = hostOf(shovel, "src-uri");
    Vhost *to = hostOf(shovel, "dest-uri");
    const auto found = from->queues.find(sourceOf(shovel));
    if (found == from->queues.end()) {
        shovel.running = false; // its channel is closed; it comes again and makes the queue anew
        start(shovel);
        return shovel.left != 0;
    }
    Queue &source = found->second;
    // What was confirmed since the last step is acknowledged; on disk it is only later, except in a quorum queue.
    const bool isQuorum = source.type == QLatin1String("quorum");
    while (!source.taken.empty()) {
        if (!isQuorum)
            shovel.unconfirmed.push_back(std::move(source.taken.front()));
        source.taken.pop_front();
    }
    const qint64 inHand = shovel.definition.value(QLatin1String("src-prefetch-count")).toInteger(1000);
    if (shovel.left <= 0) { // it had the next ones in hand already
        if (isQuorum)
            m_broker.giveBackHead(*from, source, inHand);
        return false;
    }
    const QString queue = shovel.definition.value(QLatin1String("dest-queue")).toString();
    const QString exchange = shovel.definition.value(QLatin1String("dest-exchange")).toString();
    if (!exchange.isEmpty()
        && !to->exchanges.contains(exchange)) { // its channel is closed; it comes again and only waits
        m_broker.requeue(*from, source);
        shovel.running = false;
        return true;
    }
    const qint64 most = std::min<qint64>(perStep, inHand);
    for (qint64 i = 0; i < most && shovel.left > 0 && !source.ready.empty(); ++i) {
        if (source.ready.front().isUnshowable) { // it ends with all that it has in hand, also behind that one
            for (; qint64(source.taken.size()) < inHand && !source.ready.empty(); source.ready.pop_front())
                source.taken.push_back(std::move(source.ready.front()));
            end(shovel);
            shovel.reason = QStringLiteral("{function_clause, [{mc_amqpl, ...}]}");
            return true;
        }
        Message original = std::move(source.ready.front());
        source.ready.pop_front();
        Message copy = original;
        if (!queue.isEmpty())
            copy.routingKey = queue;
        --shovel.left; // a nack counts as done too
        if (m_broker.publish(*to, exchange, std::move(copy)) == RabbitState::Publish::Refused) {
            m_broker.giveBack(*from, source, std::move(original));
        } else {
            source.taken.push_back(std::move(original));
        }
    }
    return true;
}

void FakeShovels::end(Shovel &shovel)
{
    giveBack(shovel);
    shovel.running = false;
    shovel.broken = true;
    shovel.changed = m_clock.now();
    shovel.reason.clear();
}

bool FakeShovels::interrupt(const QString &name)
{
    for (auto &[vhostName, vhost] : m_broker.vhosts()) {
        const auto found = std::find_if(vhost.shovels.begin(), vhost.shovels.end(), [&name](const auto &entry) {
            return entry.second.running && (entry.first == name || entry.first.startsWith(name + QLatin1Char('.')));
        });
        if (found == vhost.shovels.end())
            continue;
        end(found->second);
        return true;
    }
    return false;
}

bool FakeShovels::step()
{
    bool any = false;
    for (auto &[name, vhost] : m_broker.vhosts()) {
        for (auto it = vhost.shovels.begin(); it != vhost.shovels.end();) {
            Shovel &shovel = it->second;
            bool stays = true;
            const bool rests = shovel.broken && m_clock.now() - shovel.changed < rest;
            // Without a delay it is not started again.
            const bool isOver =
                shovel.broken && shovel.definition.value(QLatin1String("reconnect-delay")).toInteger(1) == 0;
            if (!shovel.stuck && !rests && !isOver && (shovel.starts == 0 || shovel.broken))
                start(shovel);
            else if (shovel.running)
                stays = move(shovel);
            it = stays ? std::next(it) : vhost.shovels.erase(it);
        }
        any = any || !vhost.shovels.empty();
    }
    return any;
}

void FakeShovels::crash()
{
    for (auto &[name, vhost] : m_broker.vhosts()) {
        vhost.endedShovels.clear();
        for (auto &[shovelName, shovel] : vhost.shovels) {
            Vhost *from = hostOf(shovel, "src-uri");
            while (from != nullptr && from->queues.contains(sourceOf(shovel)) && !shovel.unconfirmed.empty()) {
                Queue &source = from->queues[sourceOf(shovel)];
                shovel.unconfirmed.back().redelivered = true;
                source.ready.push_front(std::move(shovel.unconfirmed.back()));
                shovel.unconfirmed.pop_back();
            }
            shovel.unconfirmed.clear();
            shovel.running = false;
            shovel.broken = false;
            shovel.starts = 0;
            shovel.left = -1;
        }
    }
}

} // namespace support::fakerabbit
