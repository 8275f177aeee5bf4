// One coroutine per command, in one file per family. Each prints its result and returns the exit code.
#pragma once

#include "backend/core/async.h"

namespace commandline {

class Context;

core::Task<int> connectionVerb(Context &context); // connectionverbs.cpp
core::Task<int> queuesVerb(Context &context); // queueverbs.cpp
core::Task<int> intakeVerb(Context &context);
core::Task<int> groupsVerb(Context &context); // listverbs.cpp
core::Task<int> groupVerb(Context &context); // groupverbs.cpp
core::Task<int> expiringVerb(Context &context);
core::Task<int> messagesVerb(Context &context); // listverbs.cpp
core::Task<int> showVerb(Context &context);
core::Task<int> retryVerb(Context &context); // retryverbs.cpp
core::Task<int> releaseVerb(Context &context);
core::Task<int> redirectVerb(Context &context); // redirectverbs.cpp
core::Task<int> settingsVerb(Context &context); // settingsverbs.cpp
core::Task<int> operationsVerb(Context &context); // operationverbs.cpp
core::Task<int> operationVerb(Context &context);
core::Task<int> historyVerb(Context &context); // historyverbs.cpp
core::Task<int> pauseVerb(Context &context);
core::Task<int> resumeVerb(Context &context);
core::Task<int> cancelVerb(Context &context);
core::Task<int> rateVerb(Context &context);
core::Task<int> batchesVerb(Context &context);
core::Task<int> reportVerb(Context &context); // reportverbs.cpp
core::Task<int> doubtVerb(Context &context); // doubtverbs.cpp
core::Task<int> archiveVerb(Context &context); // decisionverbs.cpp
core::Task<int> restoreVerb(Context &context);
core::Task<int> deleteVerb(Context &context);
core::Task<int> takeBackVerb(Context &context);
core::Task<int> resolveVerb(Context &context);
core::Task<int> decideVerb(Context &context); // unknownverbs.cpp
core::Task<int> eventsVerb(Context &context); // eventverbs.cpp

} // namespace commandline
