// Edits on the command line: files of --edit, and what a dry run says of them.
#pragma once

#include "app/commandline/context.h"
#include "backend/api/edits.h"

#include <QJsonObject>

namespace commandline {

// Rejected: what is wrong with the file, with its line and step.
[[nodiscard]] core::Result<records::Edit> readEdit(const QString &path);

// What an edit does to one message: headers, and the lines of the body, as a diff.
void printSample(Context &context, const api::EditSample &sample);

namespace json {
[[nodiscard]] QJsonObject editSample(const api::EditSample &sample);
// Of a preview with an edit.
[[nodiscard]] QJsonArray misfits(const api::PlanPreview &plan);
} // namespace json

} // namespace commandline
