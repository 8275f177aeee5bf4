// A policy as JSON, in the files of `redrive policy set` and in the store. Only "name" is needed.
//   { "name": "standard",
//     "classify": [ {"exception": "*Timeout*", "as": "delayed"}, {"message": "*optimistic*", "as": "transient"},
//                   {"http_status": 429, "as": "delayed"}, {"dead_letter_reason": "InvalidJson", "as": "permanent"} ],
//     "built_in_rules": "redrive",       or "nservicebus": which rules decide when none of "classify" fits (policy.h)
//     "subtypes": { "System.ArgumentException": ["Shop.PriceException"] },   beside those of .NET and Java, which are known
//     "immediate": 5, "delayed": 3,
//     "schedule": {"kind": "linear", "first": "10s"},
//         or {"kind": "exponential", "first": "5s", "factor": 2, "cap": "30m"}      without "factor": 2; "cap" is optional
//         or {"kind": "list", "delays": ["10s", "1m"]}
//         or {"kind": "cadence", "every": "24h", "offset": "6h"}                    without "offset": 0
//     "jitter": "none",                  or "full", "equal", "10%"
//     "wait_at": "broker",               or "store", the default: who holds a message until its delayed retry (delivery.h)
//     "counter": "X-Custom-Retry-Count", without: none. The header in which the application counts its retries
//     "longest_gap": "24h",              at most 24 h
//     "backstop": {"cycle": "24h", "plus": "3h"},
//     "rate_limit": {"after": 10, "wait": "5s"},
//     "exhausted": {"do": "leave"},      or "notify", {"do": "move", "queue": "parking"}, {"do": "dead-letter"}; with a
//                                             "queue", that is for dead letters that the broker does not take back
//     "stop_when": "50%" }               or "200" messages, or "never": pauses the policy when so many of a retry came back;
//         a share only counts for retries of 100 messages or more
// What is left out has the default of Policy, except: "delayed" of a list is its length, and of a cadence the number of
// turns before its backstop; "jitter" of an exponential schedule is "full"; "cycle" of a cadence is "every". A "delayed" above 0 needs a
// "schedule" beside it.
#pragma once

#include "backend/core/result.h"
#include "backend/recovery/policy.h"

#include <QByteArray>

namespace recovery {

// Reads a policy that passes checkPolicy(). Rejected if the file is invalid: the message names the field with its path, or
// line and character of what is not JSON. Any thread.
[[nodiscard]] core::Result<Policy> policyFrom(const QByteArray &file);
// Writes a policy that passes checkPolicy(). policyFrom() reads the same policy from it.
[[nodiscard]] QByteArray toJson(const Policy &policy);

} // namespace recovery
