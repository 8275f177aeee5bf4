// The dialog that adds a pipeline: what it asks for, what it sends, and a refusal of the engine.
#include "tests/support/testmain/testmain.h"
#include "tests/views/onepart.h"
#include "views/pipelines/pipelinedialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

namespace {

QString text(const char *words)
{
    return QString::fromUtf8(words);
}

} // namespace

class TestPipelineDialog final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_one.reset(); }
    void nameAndDatabaseAreNeeded();
    void whatWasTypedIsAdded();
    void aPasswordLeavesTheUrl();
    void aFileHasNoPassword();
    void withoutARightItIsOnlyRead();
    void aRefusalIsShownUnchanged();
    void anUnkeptPasswordIsSaid();
    void picture();

private:
    [[nodiscard]] QLineEdit *line(const char *name) const { return m_one->child<QLineEdit>(name); }
    [[nodiscard]] QPushButton *add() const { return m_one->child<QPushButton>("pipelineAdd"); }
    [[nodiscard]] QString answer() const { return m_one->child<QLabel>("pipelineAnswer")->text(); }
    void type(const char *name, const char *url);

    std::unique_ptr<test::OnePart<views::PipelineDialog>> m_one;
};

void TestPipelineDialog::init()
{
    m_one = std::make_unique<test::OnePart<views::PipelineDialog>>();
    m_one->show();
}

void TestPipelineDialog::type(const char *name, const char *url)
{
    line("pipelineName")->setText(text(name));
    line("pipelineUrl")->setText(text(url));
}

void TestPipelineDialog::nameAndDatabaseAreNeeded()
{
    QVERIFY(!add()->isEnabled());
    QVERIFY(answer().contains(text("name")));
    type("reports", "");
    QVERIFY(!add()->isEnabled());
    QVERIFY(answer().contains(text("database")));
    type("reports", "sqlite:/a");
    QVERIFY(add()->isEnabled());
    QVERIFY(answer().isEmpty());
}

void TestPipelineDialog::whatWasTypedIsAdded()
{
    const QSignalSpy added(m_one->part.get(), &views::PipelineDialog::added);
    type(" reports ", " postgresql://ada@db.example/reports ");
    line("pipelinePassword")->setText(text("s3cret"));
    add()->click();
    QTRY_COMPARE(added.size(), 1);
    const api::AddPipeline &command = m_one->client.addedPipelines.constFirst();
    QCOMPARE(command.pipeline.name, text("reports"));
    QCOMPARE(command.pipeline.url, text("postgresql://ada@db.example/reports"));
    QVERIFY(command.secret == text("s3cret"));
    QVERIFY(command.pipeline.connection == core::ConnectionId{1}); // the only one is proposed
    QVERIFY(command.pipeline.rights == records::pipelineRights);
    QVERIFY(command.pipeline.columns.isEmpty());
    QVERIFY(!m_one->part->isVisible());
}

void TestPipelineDialog::aPasswordLeavesTheUrl()
{
    type("reports", "postgresql://ada:p%40ss@db.example/reports");
    Q_EMIT line("pipelineUrl")->editingFinished();
    QCOMPARE(line("pipelineUrl")->text(), text("postgresql://ada@db.example/reports"));
    QCOMPARE(line("pipelinePassword")->text(), text("p@ss"));
    QVERIFY(line("pipelinePassword")->echoMode() == QLineEdit::Password);
}

void TestPipelineDialog::aFileHasNoPassword()
{
    line("pipelinePassword")->setText(text("of another database"));
    type("reports", "sqlite:/var/lib/tasks.db");
    QVERIFY(!line("pipelinePassword")->isVisible());
    add()->click();
    QTRY_COMPARE(m_one->client.addedPipelines.size(), 1);
    QVERIFY(!m_one->client.addedPipelines.constFirst().secret);
}

void TestPipelineDialog::withoutARightItIsOnlyRead()
{
    type("reports", "sqlite:/var/lib/tasks.db");
    m_one->child<QCheckBox>("pipelineMayRaise")->setChecked(false);
    auto *connection = m_one->child<QComboBox>("pipelineConnection");
    connection->setCurrentIndex(connection->count() - 1); // no broker
    add()->click();
    QTRY_COMPARE(m_one->client.addedPipelines.size(), 1);
    QVERIFY(m_one->client.addedPipelines.constFirst().pipeline.rights == records::Rights(records::Right::See));
    QVERIFY(!m_one->client.addedPipelines.constFirst().pipeline.connection.isValid());
}

void TestPipelineDialog::aRefusalIsShownUnchanged()
{
    m_one->client.failNext<api::AddPipeline>(
        {core::ErrorKind::Rejected, text("The table task has no column created_at."), {}, {}});
    type("reports", "sqlite:/var/lib/tasks.db");
    add()->click();
    QTRY_COMPARE(answer(), text("The table task has no column created_at."));
    QVERIFY(m_one->part->isVisible());
    QVERIFY(add()->isEnabled());
}

void TestPipelineDialog::anUnkeptPasswordIsSaid()
{
    const QSignalSpy said(&m_one->session, &models::ConsoleSession::succeeded);
    m_one->client.secretNotKept = text("There is no keychain.");
    type("reports", "postgresql://ada@db.example/reports");
    line("pipelinePassword")->setText(text("s3cret"));
    add()->click();
    QTRY_COMPARE(said.size(), 1);
    QVERIFY(said.constFirst().constFirst().toString().contains(text("There is no keychain.")));
}

void TestPipelineDialog::picture()
{
    type("reports", "postgresql://ada@db.example/reports");
    QVERIFY(m_one->takePicture(text("pipelinedialog")));
    m_one->theme.setMode(views::ThemeMode::Dark);
    QVERIFY(m_one->takePicture(text("pipelinedialog")));
}

REDRIVE_WIDGET_TEST(TestPipelineDialog)
#include "tst_pipelinedialog.moc"
