#include "backend/engine/connectionwords.h"

#include <QCoreApplication>

namespace engine {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("connection", text);
}

} // namespace

core::Result<> checkConnection(const records::Connection &connection)
{
    if (connection.name.trimmed().isEmpty())
        return core::fail(core::ErrorKind::Rejected, tr("A connection needs a name."));
    const QString scheme = connection.url.scheme();
    if (!connection.url.isValid() || connection.url.host().isEmpty() || (scheme != u"http" && scheme != u"https")) {
        const QString text = tr("The address of %1 is not an http or https URL with a host.");
        return core::fail(core::ErrorKind::Rejected, text.arg(connection.name));
    }
    if (!connection.url.password().isEmpty()) {
        const QString text = tr("The address of %1 must not contain a password: give the secret beside it.");
        return core::fail(core::ErrorKind::Rejected, text.arg(connection.name));
    }
    return {};
}

api::ConnectionTest testOf(const broker::Capabilities &capabilities)
{
    api::ConnectionTest test;
    test.product = capabilities.product;
    test.missing = capabilities.missing;
    test.guarantee = capabilities.guarantee;
    // Nothing is promised that the broker may refuse.
    test.notKnownReason = capabilities.rightsUnknown;
    const bool isSure = capabilities.rightsUnknown.isEmpty();
    QStringList &granted = isSure ? test.can : test.notKnown;
    if (!isSure) {
        test.can << tr("see queues");
        test.notKnown << tr("look at failed messages");
    } else if (capabilities.canBrowse || capabilities.canTake) {
        test.can << tr("see queues and failed messages");
    }
    if (capabilities.canTake)
        granted << tr("take failed messages after a durable copy");
    switch (capabilities.handOver) {
    case records::HandOver::StagingQueue:
        granted << tr("send messages back through a staging queue on the broker");
        break;
    case records::HandOver::Ledger:
        granted << tr("send messages back, each one kept in the store's ledger");
        break;
    case records::HandOver::None:
        break;
    }
    return test;
}

} // namespace engine
