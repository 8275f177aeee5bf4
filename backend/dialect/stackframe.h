#pragma once

#include <QString>

namespace dialect {

// With or without namespaces: short for the eye, whole to tell two causes apart.
enum class Names { Short, Whole };

// The frame of a stack trace in which the failure began, as "Type.Method(Params)". Parameter names, files and line numbers
// are left out, because they change while the cause stays the same. Of a Java trace with several causes, the frame is that
// of the exception of this type. Empty if there is no frame. It reads:
//  - .NET: "   at Shop.Store.Save(Order order) in ..."
//  - Java: "\tat com.shop.Store.save(Store.java:42)"
//  - Node: "    at Store.save (/app/store.js:1:2)"
//  - PHP: "#0 /app/store.php(42): Shop\Store->save()"
//  - Python tracebacks, of which the last "File" line is the innermost
// Without regular expressions, so that the time is linear in the text, of which it reads a limited part. Any thread.
[[nodiscard]] QString firstFrame(const QString &stackTrace, const QString &exceptionMessage,
                                 const QString &exceptionType = {}, Names names = Names::Short);

} // namespace dialect
