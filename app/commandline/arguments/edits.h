// Edits on the command line: reading the file of --edit, and printing its effect in a dry run.
#pragma once

#include "app/commandline/context.h"
#include "backend/api/requests/edits.h"
#include "backend/api/requests/retryplan.h"
#include "backend/records/editing/difference.h"

#include <QJsonObject>

namespace commandline {

// At most `most` bytes and one more, so that a longer file is found to be too long. Rejected: it cannot be read; the message
// names it.
[[nodiscard]] core::Result<QByteArray> readFile(const QString &path, qint64 most);

// Reads the file of --edit. Rejected: the file cannot be read, or is invalid; the message names the line or step.
[[nodiscard]] core::Result<records::Edit> readEdit(const QString &path);

// Prints a diff of headers and of the lines of a body.
void printDifference(Context &context, const records::Difference &found);
// Prints the effect of an edit on one message: a diff of its headers and of the lines of its body.
void printSample(Context &context, const api::EditSample &sample);
// Prints which retry counters of one message start again, and which empty headers are left out; nothing if there are none.
void printCounters(Context &context, const api::EditSample &sample);

namespace json {
[[nodiscard]] QJsonObject difference(const records::Difference &found);
[[nodiscard]] QJsonObject editSample(const api::EditSample &sample);
[[nodiscard]] QJsonArray resetCounters(const QList<api::ResetCounter> &counters);
// The messages of a preview that the edit does not fit, with the reasons.
[[nodiscard]] QJsonArray misfits(const api::PlanPreview &plan);
} // namespace json

} // namespace commandline
