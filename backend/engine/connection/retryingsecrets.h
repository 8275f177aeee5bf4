#pragma once

#include "backend/core/secrets.h"
#include "backend/core/time/clock.h"

#include <QHash>

#include <memory>

namespace engine {

// A place for secrets that may wait for a person: a locked keyring first asks for its password. A call that takes too
// long ends with Transient while the read itself continues, so that the person is asked once and not on every try;
// reading again meanwhile ends with Transient at once. onLateAnswer tells of a read that ended after its caller gave
// up. Engine thread; the clock outlives it.
class RetryingSecrets final : public core::Secrets
{
public:
    // `timeout`: how long one call waits. `longest`: after this time a read counts as lost, and the next one starts
    // anew.
    RetryingSecrets(std::unique_ptr<core::Secrets> behind, core::Clock &clock,
                    core::Milliseconds timeout = core::Milliseconds{10000},
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
        bool isLate = false; // the first caller gave up
    };
    // What a read still needs when nobody waits for it any more.
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
    core::Milliseconds m_timeout;
    core::Milliseconds m_longest;
    std::shared_ptr<Open> m_open = std::make_shared<Open>();
    std::unique_ptr<core::Secrets> m_behind;
};

} // namespace engine
