// One coroutine for each command. Each prints its result and returns the exit code.
#pragma once

#include "backend/core/async.h"

namespace commandline {

class Context;

core::Task<int> connectionCommand(Context &context); // connectioncommands.cpp
core::Task<int> queuesCommand(Context &context); // queuecommands.cpp
core::Task<int> intakeCommand(Context &context);
core::Task<int> groupsCommand(Context &context); // listcommands.cpp
core::Task<int> groupCommand(Context &context); // groupcommands.cpp
core::Task<int> expiringCommand(Context &context);
core::Task<int> messagesCommand(Context &context); // listcommands.cpp
core::Task<int> showCommand(Context &context);
core::Task<int> retryCommand(Context &context); // retrycommands.cpp
core::Task<int> releaseCommand(Context &context);
core::Task<int> rehearseCommand(Context &context); // rehearsecommands.cpp
core::Task<int> redirectCommand(Context &context); // redirectcommands.cpp
core::Task<int> pipelineCommand(Context &context); // pipelinecommands.cpp
core::Task<int> settingsCommand(Context &context); // settingscommands.cpp
core::Task<int> operationsCommand(Context &context); // operationcommands.cpp
core::Task<int> operationCommand(Context &context);
core::Task<int> historyCommand(Context &context); // historycommands.cpp
core::Task<int> pauseCommand(Context &context);
core::Task<int> resumeCommand(Context &context);
core::Task<int> cancelCommand(Context &context);
core::Task<int> rateCommand(Context &context);
core::Task<int> batchesCommand(Context &context);
core::Task<int> reportCommand(Context &context); // reportcommands.cpp
core::Task<int> doubtCommand(Context &context); // doubtcommands.cpp
core::Task<int> archiveCommand(Context &context); // decisioncommands.cpp
core::Task<int> restoreCommand(Context &context);
core::Task<int> deleteCommand(Context &context);
core::Task<int> takeBackCommand(Context &context);
core::Task<int> resolveCommand(Context &context);
core::Task<int> decideCommand(Context &context); // unknowncommands.cpp
core::Task<int> exportCommand(Context &context); // transfercommands.cpp
core::Task<int> importCommand(Context &context);
core::Task<int> policyCommand(Context &context); // policycommands.cpp
core::Task<int> conventionCommand(Context &context); // conventioncommands.cpp
core::Task<int> eventsCommand(Context &context); // eventcommands.cpp

} // namespace commandline
