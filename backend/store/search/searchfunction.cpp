#include "backend/store/search/searchfunction.h"

#include <sqlite3.h>

namespace store {

static QStringView utf16(sqlite3_value *value)
{
    const void *text = sqlite3_value_text16(value);
    return QStringView(static_cast<const char16_t *>(text), sqlite3_value_bytes16(value) / 2);
}

static void contains(sqlite3_context *context, int, sqlite3_value **values)
{
    const bool found = utf16(values[0]).contains(utf16(values[1]), Qt::CaseInsensitive);
    sqlite3_result_int(context, found ? 1 : 0);
}

core::Result<> addSearchFunction(sqlite3 *handle)
{
    const int code = sqlite3_create_function_v2(handle, "redrive_contains", 2,
                                                SQLITE_UTF16 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr,
                                                contains, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        return core::fail(core::ErrorKind::Transient, QStringLiteral("The store cannot be searched."),
                          QString::fromUtf8(sqlite3_errstr(code)));
    return {};
}

QString foldCase(const QString &text)
{
    return text.toCaseFolded();
}

} // namespace store
