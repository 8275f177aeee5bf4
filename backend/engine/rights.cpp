#include "backend/engine/rights.h"

#include "backend/engine/text.h"

namespace engine {

core::Result<> checkRight(const records::Connection &connection, records::Right right)
{
    if (connection.rights.testFlag(right))
        return {};
    const QString word = records::toStrings(records::Rights(right)).join(QString());
    const QString text =
        Text::tr("The connection %1 does not allow \"%2\". Grant this right in the connection's settings.");
    return core::fail(core::ErrorKind::Refused, text.arg(connection.name, word));
}

} // namespace engine
