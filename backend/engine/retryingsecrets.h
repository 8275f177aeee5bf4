#pragma once

#include "backend/core/clock.h"
#include "backend/core/secrets.h"

#include <QHash>

#include <memory>

namespace engine {

// A place whose answers may take a person's time: a locked keyring asks for its password first. Who reads waits a little
// and then gets Transient, while the question goes on, so that the person is asked once and not by every try. Who reads
// again meanwhile is told the same at once. Engine thread; the clock outlives it.
class RetryingSecrets final : public core::Secrets
{
public:
    // `patience`: of one read. `longest`: after this the question is taken for lost, and the next read asks anew.
    RetryingSecrets(std::unique_ptr<core::Secrets> behind, core::Clock &clock,
                    core::Milliseconds quietPeriod = core::Milliseconds{10000},
                    core::Milliseconds longest = core::Milliseconds{300000});
    ~RetryingSecrets() override;

    [[nodiscard]] core::Task<core::Result<QString>> read(QString connection) override;
    [[nodiscard]] core::Task<core::Result<>> write(QString connection, QString secret) override;
    [[nodiscard]] core::Task<core::Result<>> remove(QString connection) override;
    [[nodiscard]] core::Task<core::Result<>> keeps() override;
    void onLateAnswer(std::function<void()> late) override { m_open->late = std::move(late); }

private:
    struct Question
    {
        std::vector<core::Pending<core::Result<QString>>> waiting;
        bool isLate = false; // the first who asked has given up
    };
    // What a question that goes on needs when nobody waits for it any more.
    struct Open
    {
        QHash<QString, std::shared_ptr<Question>> questions; // by connection
        std::function<void()> late;
    };

    [[nodiscard]] static core::Task<> ask(core::Secrets &behind, QString connection, std::shared_ptr<Question> question,
                                          std::weak_ptr<Open> open);
    static void forget(const std::weak_ptr<Open> &open, const QString &connection,
                       const std::shared_ptr<Question> &question);
    [[nodiscard]] std::shared_ptr<Question> begin(const QString &connection);
    template<typename T>
    [[nodiscard]] core::Task<core::Result<T>> within(core::Pending<core::Result<T>> answer);

    core::Clock &m_clock;
    core::Milliseconds m_patience;
    core::Milliseconds m_longest;
    std::shared_ptr<Open> m_open = std::make_shared<Open>();
    std::unique_ptr<core::Secrets> m_behind;
};

} // namespace engine
