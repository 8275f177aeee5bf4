// One coroutine per command, in one file per family. Each prints its result and returns the exit code.
#pragma once

#include "backend/core/async.h"

namespace commandline {

class Context;

core::Task<int> connectionCommand(Context &context); // connectionverbs.cpp
core::Task<int> queuesCommand(Context &context); // queueverbs.cpp
core::Task<int> intakeCommand(Context &context);
core::Task<int> groupsCommand(Context &context); // listverbs.cpp
core::Task<int> groupCommand(Context &context); // groupverbs.cpp
core::Task<int> expiringCommand(Context &context);
core::Task<int> messagesCommand(Context &context); // listverbs.cpp
core::Task<int> showCommand(Context &context);
core::Task<int> retryCommand(Context &context); // retryverbs.cpp
core::Task<int> releaseCommand(Context &context);
core::Task<int> redirectCommand(Context &context); // redirectverbs.cpp
core::Task<int> settingsCommand(Context &context); // settingsverbs.cpp
core::Task<int> operationsCommand(Context &context); // operationverbs.cpp
core::Task<int> operationCommand(Context &context);
core::Task<int> historyCommand(Context &context); // historyverbs.cpp
core::Task<int> pauseCommand(Context &context);
core::Task<int> resumeCommand(Context &context);
core::Task<int> cancelCommand(Context &context);
core::Task<int> rateCommand(Context &context);
core::Task<int> batchesCommand(Context &context);
core::Task<int> reportCommand(Context &context); // reportverbs.cpp
core::Task<int> doubtCommand(Context &context); // doubtverbs.cpp
core::Task<int> archiveCommand(Context &context); // decisionverbs.cpp
core::Task<int> restoreCommand(Context &context);
core::Task<int> deleteCommand(Context &context);
core::Task<int> takeBackCommand(Context &context);
core::Task<int> resolveCommand(Context &context);
core::Task<int> decideCommand(Context &context); // unknownverbs.cpp
core::Task<int> eventsCommand(Context &context); // eventverbs.cpp

} // namespace commandline
