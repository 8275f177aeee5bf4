#pragma once

#include <QCoreApplication>

namespace broker::sqs {

// The translation context for the texts of SQS. Any thread.
class Text final
{
    Q_DECLARE_TR_FUNCTIONS(sqs)
};

} // namespace broker::sqs
