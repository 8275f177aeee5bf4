// The JSON of proofs (why sent messages count as resolved), quiet periods and retention.
#include "app/commandline/json/json.h"

#include <QJsonArray>

namespace commandline::json {

namespace {

constexpr int msOfSecond = 1000;

QString word(api::Proof proof)
{
    switch (proof) {
    case api::Proof::Acknowledged:
        return QStringLiteral("acknowledged");
    case api::Proof::ByHand:
        return QStringLiteral("by_hand");
    case api::Proof::Quiet:
        return QStringLiteral("quiet");
    }
    Q_UNREACHABLE();
}

} // namespace

QJsonValue seconds(std::optional<core::Milliseconds> span)
{
    return span ? QJsonValue(qint64(span->count() / msOfSecond)) : QJsonValue(QJsonValue::Null);
}

void addProofs(QJsonObject &shape, const api::OperationDetail &detail)
{
    QJsonArray proofs;
    for (const api::ProofShare &share : detail.proofs) {
        proofs.append(QJsonObject{{QStringLiteral("kind"), word(share.proof)},
                                  {QStringLiteral("count"), share.count},
                                  {QStringLiteral("first"), time(share.first)},
                                  {QStringLiteral("last"), time(share.last)},
                                  {QStringLiteral("quiet_seconds"), seconds(share.quietFor)}});
    }
    shape.insert(QStringLiteral("proofs"), proofs);
    shape.insert(QStringLiteral("takes_to_fail_seconds"), seconds(detail.takesToFail));
    shape.insert(QStringLiteral("quiet_seconds"), seconds(detail.quiet));
}

QJsonObject settings(const api::Settings &settings, const std::function<QString(core::ConnectionId)> &nameOf)
{
    QJsonArray quiet;
    for (const records::QuietRule &rule : settings.quiet) {
        quiet.append(QJsonObject{{QStringLiteral("connection"), nameOf(rule.connection)},
                                 {QStringLiteral("after_seconds"), seconds(rule.after)}});
    }
    return {
        {QStringLiteral("keep_resolved_seconds"), seconds(settings.retention.resolved)},
        {QStringLiteral("keep_archived_seconds"), seconds(settings.retention.archived)},
        {QStringLiteral("resolved_due"), settings.resolvedDue},
        {QStringLiteral("archived_due"), settings.archivedDue},
        {QStringLiteral("quiet"), quiet},
    };
}

} // namespace commandline::json
