// The files that describe scenarios. Those of the program are in scenarios/ and part of it:
//   { "scenario": "orders", ... }   the rest depends on the scenario: orders/ordersscript.h and its neighbors
// Faults are written alike in all of them:
//   {"fault": "bad_json", "share": "2%"}                                          the sender cuts the body
//   {"fault": "outage", "from": "30s", "to": "2m", "exception": "T", "message": "M"}    every attempt in that time fails
//   {"fault": "fails_first", "share": "5%", "times": 2, "exception": "T", ...}    the first attempts of a message fail
//   {"fault": "always", "share": "0.5%", "exception": "T", "http_status": 429}    every attempt of a message fails
//   {"fault": "dies_before_queueing", "share": "5%"}    a request ends after a failure, before anybody else knows of it
//   {"fault": "dies_after_handling", "share": "5%"}     a request ends after the work, before its document knows of it
//   {"fault": "contended", "share": "3%", "times": 6}   somebody else saves a document in the middle of the first 6 saves of a request
// Those of attempts may have "message" (%1 is the number of the message), "http_status" and "at" (a stack frame). orders and
// telemetry know bad_json and those of attempts; reports those of attempts, its batches outage and always; documents those of
// attempts, the two deaths and contended.
#pragma once

#include "backend/records/editing/jsonnode.h"
#include "backend/recovery/policy.h"
#include "backend/sandbox/faults.h"
#include "backend/sandbox/nservicebus/errorqueuereturn.h"
#include "backend/sandbox/scenariorun.h"

namespace sandbox {

[[nodiscard]] QStringList scenarioNames();

// Reads a scenario of the program by its name, or one of a person by the path of a file that ends with ".json". NotFound:
// there is no such scenario or file. Rejected: the file is invalid; the message names file and field. Or the scenario cannot
// have so many messages (mostMessages()). Any thread.
[[nodiscard]] core::Result<std::shared_ptr<const ScenarioScript>> loadScenario(const QString &nameOrFile,
                                                                               std::optional<int> messages = {});
// The same from the text of a file.
[[nodiscard]] core::Result<std::shared_ptr<const ScenarioScript>> scenarioFrom(const QByteArray &json);

// For the readers of the scenarios. All errors are Rejected and name the field with its path.
namespace reading {

// "2%", "0.5%": of 10,000.
[[nodiscard]] core::Result<int> share(const records::JsonNode &node);
// `kinds` are those that the scenario has at this place; any other is an error.
[[nodiscard]] core::Result<QList<Fault>> faults(const records::JsonNode &list, const QList<Fault::Kind> &kinds);
[[nodiscard]] core::Result<recovery::Policy> policy(const records::JsonNode &node);
// {"every": "15s", "policy": {...}}, for the error queue of NServiceBus.
[[nodiscard]] core::Result<ReturnSettings> returning(const records::JsonNode &node);
// The field of the object, if it is there, replaces the value.
[[nodiscard]] core::Result<> number(const records::JsonObject &object, const char *field, int least, int most,
                                    int &value);
[[nodiscard]] core::Result<> text(const records::JsonObject &object, const char *field, QString &value);
[[nodiscard]] core::Result<> duration(const records::JsonObject &object, const char *field, core::Milliseconds &value);

} // namespace reading

} // namespace sandbox
