#include "backend/api/rights.h"

#include "backend/api/text.h"

namespace api {

core::Result<> checkRights(const records::Connection &connection, records::Rights rights)
{
    const QStringList missing = records::toStrings(rights & ~connection.rights);
    if (missing.isEmpty())
        return {};
    const QString text =
        Text::tr("The connection %1 does not allow \"%2\". Grant this right in the connection's settings.");
    return core::fail(core::ErrorKind::Refused, text.arg(connection.name, missing.constFirst()));
}

core::Result<> checkRights(const records::Pipeline &pipeline, records::Rights rights)
{
    const QStringList missing = records::toStrings(rights & ~pipeline.rights);
    if (missing.isEmpty())
        return {};
    const QString text = Text::tr("The pipeline %1 does not allow \"%2\". Remove it and add it again with this right.");
    return core::fail(core::ErrorKind::Refused, text.arg(pipeline.name, missing.constFirst()));
}

} // namespace api
