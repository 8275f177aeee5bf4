#pragma once

#include <QDateTime>
#include <QSqlDatabase>
#include <QString>
#include <QTemporaryDir>

namespace support {

// A time relative to now, as both databases read it: "2026-01-02 03:04:05.678".
[[nodiscard]] QString minutesAgo(int minutes);
[[nodiscard]] QString hoursAgo(int hours);

struct SampleTask
{
    QString reportId;
    QString nextAction;
    QString nextActionAt; // empty: NULL, like the next ones
    QString createdAt;
    QString receiver = QStringLiteral("hospital.daily");
    QString retryToken{};
};

// TASK and ACTION with the names and indexes of ReportStream, filled by tests through a connection of their own.
class SampleTasks
{
public:
    explicit SampleTasks(QSqlDatabase connection);
    ~SampleTasks();
    SampleTasks(const SampleTasks &) = delete;
    SampleTasks &operator=(const SampleTasks &) = delete;

    void createTables();
    // ReportStream's table of organizations and their receivers.
    void createSettings();
    void addReceiver(const QString &organization, const QString &name, const QString &values);
    void addTask(const SampleTask &task);
    void addAction(const QString &name, const QString &result, const QString &createdAt);
    void exec(const QString &sql); // a mistake ends the test
    [[nodiscard]] QVariant value(const QString &sql);

private:
    QSqlDatabase m_connection;
};

// The same in a file of SQLite.
class SampleTaskFile
{
public:
    SampleTaskFile();
    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("tasks.db")); }
    [[nodiscard]] QString url() const { return QStringLiteral("sqlite:") + path(); }
    [[nodiscard]] SampleTasks &tasks() { return *m_tasks; }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<SampleTasks> m_tasks;
};

} // namespace support
