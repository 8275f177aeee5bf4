#include "backend/records/connection.h"

#include <array>
#include <utility>

namespace records {

namespace {

constexpr std::array rightText{
    std::pair{Right::See, "see"},       std::pair{Right::Take, "take"},         std::pair{Right::Retry, "retry"},
    std::pair{Right::Edit, "edit"},     std::pair{Right::Redirect, "redirect"}, std::pair{Right::Archive, "archive"},
    std::pair{Right::Delete, "delete"},
};

} // namespace

QString productName(BrokerKind kind)
{
    switch (kind) {
    case BrokerKind::RabbitMq:
        return QStringLiteral("RabbitMQ");
    case BrokerKind::ServiceBus:
        return QStringLiteral("Service Bus");
    case BrokerKind::AzureQueue:
        return QStringLiteral("Storage Queues");
    case BrokerKind::Sqs:
        return QStringLiteral("Amazon SQS");
    }
    Q_UNREACHABLE();
}

QString toString(BrokerKind kind)
{
    switch (kind) {
    case BrokerKind::RabbitMq:
        return QStringLiteral("rabbitmq");
    case BrokerKind::ServiceBus:
        return QStringLiteral("servicebus");
    case BrokerKind::AzureQueue:
        return QStringLiteral("azurequeue");
    case BrokerKind::Sqs:
        return QStringLiteral("sqs");
    }
    Q_UNREACHABLE();
}

std::optional<BrokerKind> brokerKindFrom(QStringView text)
{
    for (const BrokerKind kind :
         {BrokerKind::RabbitMq, BrokerKind::ServiceBus, BrokerKind::AzureQueue, BrokerKind::Sqs}) {
        if (toString(kind) == text)
            return kind;
    }
    return std::nullopt;
}

QString toString(Environment environment)
{
    switch (environment) {
    case Environment::Development:
        return QStringLiteral("development");
    case Environment::Test:
        return QStringLiteral("test");
    case Environment::Production:
        return QStringLiteral("production");
    }
    Q_UNREACHABLE();
}

std::optional<Environment> environmentFrom(QStringView text)
{
    for (const Environment one : {Environment::Development, Environment::Test, Environment::Production}) {
        if (toString(one) == text)
            return one;
    }
    return std::nullopt;
}

QStringList toStrings(Rights rights)
{
    QStringList words;
    for (const auto &[right, word] : rightText) {
        if (rights.testFlag(right))
            words.append(QString::fromLatin1(word));
    }
    return words;
}

std::optional<Rights> rightsFrom(const QStringList &words)
{
    Rights rights;
    for (const QString &text : words) {
        bool known = false;
        for (const auto &[right, word] : rightText) {
            if (text == QLatin1String(word)) {
                rights |= right;
                known = true;
            }
        }
        if (!known)
            return std::nullopt;
    }
    return rights;
}

} // namespace records
