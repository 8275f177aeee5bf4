#include "models/conventions/conventiontrials.h"

#include <algorithm>
#include <iterator>

namespace models {

using core::Result;
using Trials = QList<api::ConventionTrial>;

namespace {

constexpr int mostTrials = 10;

} // namespace

ConventionTrials::ConventionTrials(ConsoleSession &session, core::MessageId first, const records::MessageFilter &filter,
                                   QObject *parent)
    : QObject(parent)
    , m_first(first)
    , m_filter(filter)
    , m_call(session, [this] { ask(); })
{
}

void ConventionTrials::show(const QByteArray &file)
{
    m_file = file;
    m_call.restart();
}

void ConventionTrials::ask()
{
    if (!m_first.isValid())
        return askForOthers({});
    api::TryConvention question;
    question.file = m_file;
    question.messages = {m_first};
    question.limit = 1;
    m_call.ask(question, [this](const Result<Trials> &first) {
        if (first)
            askForOthers(*first);
        else
            take(first);
    });
}

void ConventionTrials::askForOthers(const Trials &first)
{
    api::TryConvention question;
    question.file = m_file;
    question.filter = m_filter;
    question.limit = mostTrials;
    m_call.ask(question, [this, first](const Result<Trials> &others) {
        if (!others)
            return take(others);
        Trials all;
        const auto isFirst = [this](const api::ConventionTrial &trial) { return trial.message == m_first; };
        std::copy_if(first.cbegin(), first.cend(), std::back_inserter(all), isFirst);
        std::remove_copy_if(others->cbegin(), others->cend(), std::back_inserter(all), isFirst);
        take(all);
    });
}

void ConventionTrials::take(const Result<Trials> &trials)
{
    m_error = trials ? QString() : trials.error().message;
    m_trials = trials.value_or(Trials());
    m_at = std::clamp<qsizetype>(m_at, 0, std::max<qsizetype>(0, m_trials.size() - 1));
    compare();
}

void ConventionTrials::compare()
{
    const api::ConventionTrial *one = trial();
    m_difference = one == nullptr ? records::Difference() : records::difference(one->sentBefore, one->sentAfter);
    Q_EMIT changed();
}

const api::ConventionTrial *ConventionTrials::trial() const
{
    return m_at < m_trials.size() ? &m_trials.at(m_at) : nullptr;
}

void ConventionTrials::next()
{
    if (!hasNext())
        return;
    ++m_at;
    compare();
}

void ConventionTrials::previous()
{
    if (!hasPrevious())
        return;
    --m_at;
    compare();
}

} // namespace models

#include "moc_conventiontrials.cpp"
