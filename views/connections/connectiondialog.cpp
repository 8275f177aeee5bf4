#include "views/connections/connectiondialog.h"

#include "backend/records/address/addressparts.h"
#include "backend/records/address/connectionurl.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/formgrid.h"
#include "views/common/widgets/growtofit.h"
#include "views/common/widgets/plaintext.h"
#include "views/connections/connectiontesttext.h"
#include "views/connections/errorqueuesdialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QIntValidator>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace views {

namespace {

constexpr int dialogWidth = 620;
constexpr int highestPort = 65535;
constexpr int answerLines = 4;

// In the order of the form.
constexpr std::array shownRights{records::Right::See,   records::Right::Take,     records::Right::Retry,
                                 records::Right::Edit,  records::Right::Redirect, records::Right::Archive,
                                 records::Right::Delete};

QLineEdit *field(const QString &name, const QString &hint, QWidget *parent)
{
    auto *edit = new QLineEdit(parent);
    edit->setObjectName(name);
    edit->setPlaceholderText(hint);
    return edit;
}

// True if one edit inserted more than one character, whatever it replaced.
bool isPasted(const QString &before, const QString &text)
{
    const auto [there, here] = std::mismatch(before.begin(), before.end(), text.begin(), text.end());
    const qsizetype same = here - text.begin();
    const qsizetype most = std::min(before.size(), text.size()) - same;
    qsizetype end = 0;
    while (end < most && before.at(before.size() - 1 - end) == text.at(text.size() - 1 - end))
        ++end;
    return text.size() - same - end > 1;
}

QStringList listOf(const QString &text)
{
    QStringList names;
    const QStringList parts = text.split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        if (!part.trimmed().isEmpty())
            names.append(part.trimmed());
    }
    return names;
}

} // namespace

ConnectionDialog::ConnectionDialog(models::ConsoleSession &session, const records::Connection &connection,
                                   QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_id(connection.id)
    , m_kept(connection)
{
    setObjectName(QStringLiteral("connectionDialog"));
    setModal(true);
    setWindowTitle(m_id.isValid() ? tr("Edit connection") : tr("Add connection"));
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    m_form = new FormGrid(body);
    m_form->setContentsMargins(16, 14, 16, 14);
    makeForm(m_form);
    frameDialog(*this, {nullptr, body, makeFoot()});
    joinFields();
    fill(connection);
    if (m_id.isValid())
        m_url->setText(records::connectionUrlText(connection.kind, connection.url));
    m_urlBefore = m_url->text();
    askForSecret();
    fitDialog(*this, dialogWidth);
    (m_id.isValid() ? m_secret : m_url)->setFocus();
}

ConnectionDialog::~ConnectionDialog()
{
    m_url->disconnect(this); // losing the focus on destruction must not count as editingFinished
}

bool ConnectionDialog::asksForSecret() const
{
    const api::ConnectionView *view = m_id.isValid() ? m_session.connection(m_id) : nullptr;
    return view != nullptr && view->health == api::Health::LoginNeeded;
}

void ConnectionDialog::askForSecret()
{
    if (!asksForSecret())
        return;
    setWindowTitle(tr("Log in to %1").arg(models::visibleLine(m_kept.name)));
    m_secret->setPlaceholderText(tr("Type the password or access key"));
    m_save->setText(tr("Log in"));
    say(m_user->text().isEmpty() ? tr("Type the password or access key for %1.").arg(m_kept.name)
                                 : tr("Type the password or access key of %1 for %2.").arg(m_user->text(), m_kept.name),
        QStringLiteral("muted"));
}

QWidget *ConnectionDialog::makeForm(FormGrid *form)
{
    const auto row = [form](const QString &label, QWidget *edit) {
        edit->setAccessibleName(label);
        form->addRow(label, edit);
    };
    m_url = field(QStringLiteral("connectionUrl"), tr("Paste a URL: rabbitmq+https://user@host:15671/vhost"), this);
    m_name = field(QStringLiteral("connectionName"), tr("Short and unique, for example shop-rabbit"), this);
    m_kind = new QComboBox(this);
    m_kind->setObjectName(QStringLiteral("connectionKind"));
    for (const records::BrokerKind kind : records::brokerKinds)
        m_kind->addItem(records::productName(kind), int(kind));
    m_scheme = new QComboBox(this);
    m_scheme->setObjectName(QStringLiteral("connectionScheme"));
    m_scheme->addItem(tr("https (encrypted)"), QStringLiteral("https"));
    m_scheme->addItem(tr("http (not encrypted)"), QStringLiteral("http"));
    m_host = field(QStringLiteral("connectionHost"), tr("Name or address of the broker"), this);
    m_port = field(QStringLiteral("connectionPort"), tr("Default port of the broker when empty"), this);
    m_port->setValidator(new QIntValidator(1, highestPort, m_port));
    m_user = field(QStringLiteral("connectionUser"), tr("User name, access key name or ID, or storage account"), this);
    m_secret = field(QStringLiteral("connectionSecret"),
                     m_id.isValid() ? tr("Unchanged when empty") : tr("Password, access key or SAS token"), this);
    m_secret->setEchoMode(QLineEdit::Password);
    m_vhost = field(QStringLiteral("connectionVhost"), QStringLiteral("/"), this);
    m_region = field(QStringLiteral("connectionRegion"), tr("For example eu-west-1"), this);
    m_errorQueues = field(QStringLiteral("connectionErrorQueues"), tr("error, billing.error"), this);
    m_caFile = field(QStringLiteral("connectionCaFile"), tr("PEM file of a private certificate authority"), this);
    m_environment = new QComboBox(this);
    m_environment->setObjectName(QStringLiteral("connectionEnvironment"));
    for (const records::Environment one :
         {records::Environment::Production, records::Environment::Test, records::Environment::Development})
        m_environment->addItem(models::textOf(one), int(one));
    row(tr("URL"), m_url);
    row(tr("Name"), makeName());
    row(tr("Broker"), m_kind);
    row(tr("Transport"), m_scheme);
    row(tr("Host"), m_host);
    row(tr("Port"), m_port);
    row(tr("User"), m_user);
    row(tr("Secret"), m_secret);
    if (const QString &why = m_session.snapshot().secretsNotKept; !why.isEmpty()) {
        auto *note = new PlainLabel(tr("%1 Redrive forgets a secret that you type here when it closes. To keep it, set "
                                       "REDRIVE_SECRET_<NAME> or start Redrive with --secret-file.")
                                        .arg(models::visibleLine(why)),
                                    this);
        note->setObjectName(QStringLiteral("secretNote"));
        note->setProperty("tone", QStringLiteral("warn"));
        note->setWordWrap(true);
        form->addRow({}, note);
    }
    row(tr("Virtual host"), m_vhost);
    row(tr("Region"), m_region);
    row(tr("Error queues"), makeErrorQueues());
    row(tr("CA file"), m_caFile);
    row(tr("Environment"), m_environment);
    row(tr("Rights"), makeRights());
    return this;
}

QWidget *ConnectionDialog::makeName()
{
    if (!m_id.isValid())
        return m_name;
    auto *whole = new QWidget(this);
    whole->setFocusProxy(m_name);
    m_name->setAccessibleName(tr("Name"));
    m_name->setReadOnly(true);
    m_rename = new QPushButton(tr("Rename"), whole);
    m_rename->setObjectName(QStringLiteral("connectionRename"));
    m_rename->setAutoDefault(false);
    connect(m_rename, &QPushButton::clicked, this, &ConnectionDialog::rename);
    auto *row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_name, 1);
    row->addWidget(m_rename);
    return whole;
}

QWidget *ConnectionDialog::makeErrorQueues()
{
    auto *whole = new QWidget(this);
    whole->setFocusProxy(m_errorQueues);
    m_errorQueues->setAccessibleName(tr("Error queues"));
    m_choose = new QPushButton(tr("Choose…"), whole);
    m_choose->setObjectName(QStringLiteral("connectionChooseQueues"));
    m_choose->setAutoDefault(false);
    m_choose->setEnabled(false);
    m_choose->setToolTip(tr("Test the connection first: it finds the queues in which dead letters arrive."));
    connect(m_choose, &QPushButton::clicked, this, &ConnectionDialog::chooseErrorQueues);
    auto *row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_errorQueues, 1);
    row->addWidget(m_choose);
    return whole;
}

void ConnectionDialog::chooseErrorQueues()
{
    auto *dialog = new ErrorQueuesDialog(ErrorQueuesDialog::About::Offer, m_name->text(), m_candidates, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ErrorQueuesDialog::chosen, this, [this](const QStringList &take, const QStringList &leave) {
        QStringList queues = listOf(m_errorQueues->text());
        queues.removeIf([&leave](const QString &one) { return leave.contains(one); });
        for (const QString &one : take) {
            if (!queues.contains(one))
                queues.append(one);
        }
        m_errorQueues->setText(queues.join(QStringLiteral(", ")));
    });
    dialog->open();
}

void ConnectionDialog::rename()
{
    m_name->setReadOnly(false);
    m_name->setFocus(Qt::OtherFocusReason);
    m_name->selectAll();
}

void ConnectionDialog::joinFields()
{
    connect(m_url, &QLineEdit::textEdited, this, &ConnectionDialog::urlEdited);
    connect(m_url, &QLineEdit::editingFinished, this, &ConnectionDialog::urlFinished);
    for (QLineEdit *edit : {m_host, m_port, m_user, m_vhost, m_region})
        connect(edit, &QLineEdit::textEdited, this, &ConnectionDialog::writeUrl);
    for (QLineEdit *edit : {m_name, m_secret})
        connect(edit, &QLineEdit::textEdited, this, &ConnectionDialog::refresh);
    for (QComboBox *box : {m_kind, m_scheme})
        connect(box, &QComboBox::activated, this, &ConnectionDialog::writeUrl);
}

QWidget *ConnectionDialog::makeRights()
{
    auto *whole = new QWidget(this);
    auto *row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    for (const records::Right right : shownRights) {
        auto *box = new QCheckBox(models::textOf(records::Rights(right)), whole);
        box->setObjectName(QStringLiteral("right-") + records::toStrings(right).constFirst());
        m_rights.append(box);
        row->addWidget(box);
    }
    m_rights.constFirst()->setEnabled(false); // without the right to see, a connection has no use
    row->addStretch(1);
    whole->setToolTip(
        tr("Rights only guard against mistakes. The real limit is what the broker allows this login to do."));
    return whole;
}

DialogFoot *ConnectionDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    m_answer = foot->addAnswerAbove(QStringLiteral("connectionAnswer"), answerLines);
    m_test = foot->addPlain(QStringLiteral("connectionTest"), tr("Test connection"));
    foot->addStretch();
    const QPushButton *cancel = foot->addLeave({}, tr("Cancel"));
    m_save =
        foot->addPrimary(QStringLiteral("connectionSave"),
                         m_id.isValid() ? tr("Save connection") : tr("Add connection"), DialogFoot::Act::CanBeUndone);
    connect(m_test, &QPushButton::clicked, this, &ConnectionDialog::test);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &ConnectionDialog::save);
    return foot;
}

void ConnectionDialog::fill(const records::Connection &connection)
{
    m_filling = true;
    m_name->setText(connection.name);
    m_kind->setCurrentIndex(m_kind->findData(int(connection.kind)));
    const records::AddressParts parts = records::partsOf(connection.kind, connection.url);
    m_scheme->setCurrentIndex(std::max(0, m_scheme->findData(parts.scheme)));
    m_host->setText(parts.host);
    m_port->setText(parts.port > 0 ? QString::number(parts.port) : QString());
    m_user->setText(parts.user);
    m_vhost->setText(parts.virtualHost);
    m_region->setText(parts.region);
    m_errorQueues->setText(connection.errorQueues.join(QStringLiteral(", ")));
    m_caFile->setText(connection.caFile);
    m_environment->setCurrentIndex(m_environment->findData(int(connection.environment)));
    for (qsizetype i = 0; i < m_rights.size(); ++i)
        m_rights.at(i)->setChecked(connection.rights.testFlag(shownRights.at(size_t(i))));
    m_filling = false;
    refresh();
}

void ConnectionDialog::urlEdited(const QString &text)
{
    const bool read = readUrl(text);
    if (read && isPasted(m_urlBefore, text))
        hidePassword();
    m_urlBefore = m_url->text();
}

void ConnectionDialog::urlFinished()
{
    const QString text = m_url->text().trimmed();
    if (const core::Result<records::ConnectionUrl> parsed = records::connectionUrlFrom(text); parsed)
        hidePassword();
    else if (!text.isEmpty())
        say(parsed.error().message, QStringLiteral("warn"));
    m_urlBefore = m_url->text();
}

bool ConnectionDialog::readUrl(const QString &text)
{
    const core::Result<records::ConnectionUrl> parsed = records::connectionUrlFrom(text);
    if (!parsed)
        return false;
    records::Connection filled = connection();
    filled.kind = parsed->kind;
    filled.url = parsed->url;
    if (!m_id.isValid() && (filled.name.isEmpty() || filled.name == m_suggestedName)) {
        m_suggestedName = parsed->url.host();
        filled.name = m_suggestedName; // until the user types another one
    }
    if (parsed->secret)
        m_secret->setText(*parsed->secret);
    fill(filled);
    return true;
}

// The password is in its own field now and must not stay readable in the URL.
void ConnectionDialog::hidePassword()
{
    const core::Result<records::ConnectionUrl> parsed = records::connectionUrlFrom(m_url->text());
    if (parsed && parsed->secret)
        m_url->setText(records::connectionUrlText(parsed->kind, parsed->url));
}

void ConnectionDialog::writeUrl()
{
    if (m_filling)
        return;
    const records::Connection made = connection();
    m_url->setText(made.url.host().isEmpty() ? QString() : records::connectionUrlText(made.kind, made.url));
    m_urlBefore = m_url->text();
    refresh();
}

records::Connection ConnectionDialog::connection() const
{
    records::Connection made = m_kept;
    made.id = m_id;
    made.name = m_name->text().trimmed();
    made.kind = records::BrokerKind(m_kind->currentData().toInt());
    const int port = m_port->text().isEmpty() ? -1 : m_port->text().toInt();
    made.url = records::urlOf(made.kind, {m_scheme->currentData().toString(), m_host->text().trimmed(), port,
                                          m_user->text(), m_vhost->text(), m_region->text().trimmed()});
    made.errorQueues = listOf(m_errorQueues->text());
    made.caFile = m_caFile->text().trimmed();
    made.environment = records::Environment(m_environment->currentData().toInt());
    for (qsizetype i = 0; i < m_rights.size(); ++i)
        made.rights.setFlag(shownRights.at(size_t(i)), m_rights.at(i)->isChecked());
    return made;
}

api::ConnectionDraft ConnectionDialog::draft() const
{
    api::ConnectionDraft made;
    made.connection = connection();
    if (!m_secret->text().isEmpty())
        made.secret = m_secret->text();
    return made;
}

QString ConnectionDialog::complaint() const
{
    const records::Connection made = connection();
    if (made.name.isEmpty())
        return tr("Give the connection a name.");
    if (const QString missing = records::missingPart(made.kind, made.url); !missing.isEmpty())
        return missing;
    for (const api::ConnectionView &other : m_session.snapshot().connections) {
        if (other.connection.name == made.name && other.connection.id != m_id)
            return tr("A connection with this name already exists.");
    }
    return m_session.refusal(models::Verb::EditConnections);
}

void ConnectionDialog::refresh()
{
    const QString why = complaint();
    m_save->setEnabled(why.isEmpty());
    m_test->setEnabled(!m_host->text().trimmed().isEmpty());
    const auto kind = records::BrokerKind(m_kind->currentData().toInt());
    m_form->setRowVisible(m_vhost, records::hasVirtualHost(kind));
    m_form->setRowVisible(m_region, records::hasRegion(kind));
    const bool readable =
        m_scheme->currentData().toString() == QLatin1String("http") && !records::isOnThisMachine(connection().url);
    if (!why.isEmpty())
        say(why, QStringLiteral("muted"));
    else
        say(readable ? tr("http sends the secret unencrypted. Use https outside this machine.") : QString(),
            QStringLiteral("warn"));
}

void ConnectionDialog::test()
{
    if (m_call.isPending())
        return;
    say(tr("Testing the connection…"), QStringLiteral("muted"));
    m_call.ask(api::TestConnection{draft()}, [this](const core::Result<api::ConnectionTest> &answer) {
        if (answer)
            tell(*answer);
        else
            say(answer.error().message, QStringLiteral("bad"));
    });
}

void ConnectionDialog::tell(const api::ConnectionTest &found)
{
    m_candidates = found.candidates;
    // The field divides names at commas: such a queue can be added in the queue tree, which names it alone.
    m_candidates.removeIf([](const api::CandidateQueue &one) { return listOf(one.name) != QStringList(one.name); });
    m_choose->setEnabled(!m_candidates.isEmpty());
    say(testText(found), testTone(found));
}

void ConnectionDialog::save()
{
    if (m_call.isPending())
        return;
    m_call.ask(api::SaveConnection{draft()}, [this](const core::Result<core::ConnectionId> &answer) {
        if (answer)
            accept();
        else
            say(answer.error().message, QStringLiteral("bad"));
    });
}

void ConnectionDialog::say(const QString &text, const QString &tone)
{
    m_answer->setText(models::visibleLines(text));
    setStyleProperty(m_answer, "tone", tone);
    growToFit(*this);
}

} // namespace views

#include "moc_connectiondialog.cpp"
