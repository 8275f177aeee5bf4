#pragma once

#include <QString>

namespace dialect {

// The first frame of a stack trace as "Type.Method(Params)": where the failure began. .NET ("   at Shop.Store.Save(Order
// order) in ..."), Java ("\tat com.shop.Store.save(Store.java:42)"), Node ("    at Store.save (/app/store.js:1:2)") and
// Python tracebacks (their last "File" line is the innermost), PHP ("#0 /app/store.php(42): Shop\Store->save()"). Namespaces, parameter names, files and line numbers are
// left out: they change without the cause changing. Empty when there is no frame. No regular expressions: linear in what is
// looked at, which is bounded.
[[nodiscard]] QString firstFrame(const QString &stackTrace, const QString &exceptionMessage);

} // namespace dialect
