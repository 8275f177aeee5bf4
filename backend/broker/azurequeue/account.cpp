#include "backend/broker/azurequeue/account.h"

#include "backend/broker/azurequeue/text.h"
#include "backend/records/address/connectionstring.h"

#include <QRegularExpression>

#include <algorithm>

namespace broker::azurequeue {

namespace {

// Whether the text can be in a URL as it is: anything else does not belong in a token.
bool isPlainQuery(const QByteArray &text)
{
    return std::all_of(text.begin(), text.end(), [](char one) { return one > ' ' && one < 0x7f && one != '#'; });
}

void readSecret(const QString &text, Account &account)
{
    // Matches a whole parameter name, because an account key may end in these letters.
    static const QRegularExpression signature(QStringLiteral("(^|[?&])sig="));
    if (signature.match(text).hasMatch()) {
        account.sas = text.mid(text.indexOf(QLatin1Char('?')) + 1).toUtf8();
        if (isPlainQuery(account.sas))
            return;
        account.sas.clear();
    } else {
        const auto decoded = QByteArray::fromBase64Encoding(text.toUtf8(), QByteArray::AbortOnBase64DecodingErrors);
        account.key = decoded.decodingStatus == QByteArray::Base64DecodingStatus::Ok ? *decoded : QByteArray();
        if (!account.key.isEmpty())
            return;
    }
    account.unusable =
        Text::tr("The secret is neither an account key nor a SAS token. Copy one of them from the storage account.");
}

} // namespace

Account Account::from(const records::Connection &connection, const QString &secret)
{
    Account account;
    account.base = connection.url.adjusted(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
    if (!account.base.path().endsWith(QLatin1Char('/')))
        account.base.setPath(account.base.path() + QLatin1Char('/'));
    account.name = connection.url.userName(QUrl::FullyDecoded).toUtf8();
    account.errorQueues = connection.errorQueues;
    const records::ConnectionFields fields = records::connectionFields(secret);
    const QString given = fields.value(QStringLiteral("accountkey"));
    const QString signature = fields.value(QStringLiteral("sharedaccesssignature"));
    const QString text = !given.isEmpty() ? given : !signature.isEmpty() ? signature : secret.trimmed();
    if (!text.isEmpty())
        readSecret(text, account);
    return account;
}

} // namespace broker::azurequeue
