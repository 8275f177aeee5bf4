#include "backend/records/messages/message.h"

namespace records {

QString toString(MessageStatus status)
{
    switch (status) {
    case MessageStatus::Unresolved:
        return QStringLiteral("unresolved");
    case MessageStatus::RetryIssued:
        return QStringLiteral("retryissued");
    case MessageStatus::Resolved:
        return QStringLiteral("resolved");
    case MessageStatus::Archived:
        return QStringLiteral("archived");
    case MessageStatus::Released:
        return QStringLiteral("released");
    case MessageStatus::Unknown:
        return QStringLiteral("unknown");
    }
    Q_UNREACHABLE();
}

std::optional<MessageStatus> messageStatusFrom(QStringView text)
{
    for (const MessageStatus one : messageStatuses) {
        if (toString(one) == text)
            return one;
    }
    return std::nullopt;
}

QString toString(Classifier classifier)
{
    switch (classifier) {
    case Classifier::ExceptionAndStack:
        return QStringLiteral("exception");
    case Classifier::MessageType:
        return QStringLiteral("type");
    case Classifier::EndpointAddress:
        return QStringLiteral("address");
    case Classifier::EndpointName:
        return QStringLiteral("endpoint");
    case Classifier::EndpointInstance:
        return QStringLiteral("instance");
    }
    Q_UNREACHABLE();
}

std::optional<Classifier> classifierFrom(QStringView text)
{
    for (int i = 0; i < classifierCount; ++i) {
        if (toString(Classifier(i)) == text)
            return Classifier(i);
    }
    return std::nullopt;
}

} // namespace records
