#include "backend/transfer/exportformat.h"

namespace transfer {

const QStringList &certaintyWords()
{
    static const QStringList words{QStringLiteral("unknown"), QStringLiteral("fan_out"), QStringLiteral("derived"),
                                   QStringLiteral("exact")};
    return words;
}

const QStringList &flagWords()
{
    static const QStringList words{
        QStringLiteral("undecodable"),   QStringLiteral("not_faithful"), QStringLiteral("possible_duplicate"),
        QStringLiteral("foreign_stamp"), QStringLiteral("other_tool"),   QStringLiteral("damaged"),
        QStringLiteral("shortened"),     QStringLiteral("browsed_only"), QStringLiteral("empty_headers"),
        QStringLiteral("decimals"),
    };
    return words;
}

const QStringList &brokerWords()
{
    static const QStringList words = [] {
        QStringList all;
        for (int kind = 0; kind <= int(lastOf(records::BrokerKind{})); ++kind)
            all.append(records::toString(records::BrokerKind(kind)));
        return all;
    }();
    return words;
}

const QStringList &statusWords()
{
    static const QStringList words = [] {
        QStringList all;
        for (const records::MessageStatus status : records::messageStatuses)
            all.append(records::toString(status));
        return all;
    }();
    return words;
}

} // namespace transfer
