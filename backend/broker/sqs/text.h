#pragma once

#include <QCoreApplication>

namespace broker::sqs {

// The translation context of everything that SQS says to people. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(sqs)
};

} // namespace broker::sqs
