#include "backend/broker/sqs/account.h"

#include "backend/broker/sqs/text.h"
#include "backend/records/address/sqsaddress.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace broker::sqs {

namespace {

// Whether the text can be in a header as it is.
bool isPlain(const QByteArray &text)
{
    return std::all_of(text.begin(), text.end(), [](char one) { return one > ' ' && one < 0x7f; });
}

QByteArray memberOf(const QJsonObject &object, const char *name)
{
    return object.value(QLatin1String(name)).toString().toUtf8();
}

// As `aws configure export-credentials` and `aws sts assume-role` print them.
void readJson(const QString &text, Account &account)
{
    QJsonObject object = QJsonDocument::fromJson(text.toUtf8()).object();
    if (object.contains(QLatin1String("Credentials")))
        object = object.value(QLatin1String("Credentials")).toObject();
    account.keyId = memberOf(object, "AccessKeyId");
    account.secret = memberOf(object, "SecretAccessKey");
    account.sessionToken = memberOf(object, "SessionToken");
    const QDateTime end = QDateTime::fromString(object.value(QLatin1String("Expiration")).toString(), Qt::ISODate);
    if (end.isValid())
        account.ends = core::fromMs(end.toMSecsSinceEpoch());
}

void readParts(const QString &text, Account &account)
{
    const QList<QByteArray> parts = text.toUtf8().split(':');
    if (parts.size() == 1) {
        account.secret = parts.constFirst();
    } else if (parts.size() <= 3) {
        account.keyId = parts.at(0);
        account.secret = parts.at(1);
        account.sessionToken = parts.value(2);
    }
}

QString complaintAbout(const Account &account)
{
    if (account.secret.isEmpty() || !isPlain(account.secret) || !isPlain(account.sessionToken)) {
        return Text::tr("This is not a secret access key. Enter the key, ACCESS-KEY-ID:SECRET:SESSION-TOKEN, or the "
                        "JSON that the AWS tools print for temporary credentials.");
    }
    if (account.keyId.isEmpty() || !isPlain(account.keyId)) {
        return Text::tr(
            "The access key id is missing: write it before the host, ACCESS-KEY-ID@host, or before the secret, "
            "ACCESS-KEY-ID:SECRET.");
    }
    return {};
}

} // namespace

Account Account::from(const records::Connection &connection, const QString &secret)
{
    Account account;
    account.base = connection.url.adjusted(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
    account.base.setPath(QStringLiteral("/"));
    account.region = records::sqsRegion(connection.url).toLatin1();
    account.errorQueues = connection.errorQueues;
    const QByteArray user = connection.url.userName(QUrl::FullyDecoded).toUtf8();
    account.keyId = user;
    const QString text = secret.trimmed();
    if (text.isEmpty())
        return account;
    if (text.startsWith(QLatin1Char('{')))
        readJson(text, account);
    else
        readParts(text, account);
    if (account.keyId.isEmpty())
        account.keyId = user;
    account.unusable = complaintAbout(account);
    return account;
}

} // namespace broker::sqs
