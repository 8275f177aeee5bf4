// Helpers that all JSON documents share.
#pragma once

#include "backend/core/ids.h"

#include <QJsonValue>

#include <optional>

namespace commandline::json {

template<typename Tag>
QJsonValue id(core::Id<Tag> id)
{
    return id.isValid() ? QJsonValue(QString::number(id.value)) : QJsonValue(QJsonValue::Null);
}

template<typename T>
QJsonValue orNull(const std::optional<T> &value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

inline QJsonValue orNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(text);
}

} // namespace commandline::json
