// Policies that a person names on the command line: as a file, or by the name of a saved one.
#pragma once

#include "app/commandline/context.h"
#include "backend/api/requests/policyview.h"
#include "backend/recovery/policy.h"

namespace commandline {

// Rejected: what is wrong with the file, with the path of the file.
[[nodiscard]] core::Result<recovery::Policy> policyFromFile(const QString &path);
// NotFound: there is no policy of this name.
[[nodiscard]] core::Result<api::PolicyView> policyNamed(const api::Snapshot &snapshot, const QString &name);

// `redrive policy preview FILE` needs no store, `redrive policy preview NAME` does. A file comes before a policy of the
// same name.
[[nodiscard]] bool previewsPolicyFile(const Arguments &arguments);
int previewPolicyFile(const Arguments &arguments, Printer &out); // returns the exit code
core::Task<int> previewPolicy(Context &context);

} // namespace commandline
