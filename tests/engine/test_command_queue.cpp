// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/command_queue.h"

#include <QtTest>

#include <chrono>
#include <thread>

using namespace vitrine;
using namespace std::chrono_literals;

namespace {

std::uint64_t requestOf(const Command& command)
{
    return std::get<command::Cancel>(command).request.value;
}

} // namespace

class TestCommandQueue : public QObject {
    Q_OBJECT
private slots:
    void drainsInOrderAndOnlyOnce()
    {
        CommandQueue queue;
        for (std::uint64_t i = 0; i < 3; ++i)
            queue.push(command::Cancel{RequestId{i}});
        const auto commands = queue.drain();
        QCOMPARE(commands.size(), std::size_t(3));
        for (std::uint64_t i = 0; i < 3; ++i)
            QCOMPARE(requestOf(commands[i]), i);
        QVERIFY(queue.drain().empty());
    }

    void doesNotWaitWhereSomethingIsThere()
    {
        CommandQueue queue;
        queue.push(command::Pause{});
        queue.wait();
        QCOMPARE(queue.drain().size(), std::size_t(1));
    }

    void waitsForALimitedTime()
    {
        CommandQueue queue;
        queue.waitFor(1ms);
        QVERIFY(queue.drain().empty());
        queue.push(command::Pause{});
        queue.waitFor(1h); // returns at once, or ctest ends the test
        QCOMPARE(queue.drain().size(), std::size_t(1));
    }

    void closingEndsTheWait()
    {
        CommandQueue queue;
        std::jthread closer([&] {
            std::this_thread::sleep_for(10ms);
            queue.close();
        });
        queue.wait();
        QVERIFY(queue.closed());
    }

    void fourThreadsLoseNothingAndKeepTheirOwnOrder()
    {
        constexpr std::uint64_t kEach = 5'000;
        CommandQueue queue;
        std::vector<std::jthread> threads;
        for (std::uint64_t thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&queue, thread] {
                for (std::uint64_t i = 0; i < kEach; ++i)
                    queue.push(command::Cancel{RequestId{thread * kEach + i}});
            });
        }
        std::vector<std::uint64_t> next{0, kEach, 2 * kEach, 3 * kEach};
        for (std::uint64_t seen = 0; seen < 4 * kEach;) {
            queue.wait();
            for (const Command& command : queue.drain()) {
                const std::uint64_t number = requestOf(command);
                QCOMPARE(number, next[number / kEach]++);
                ++seen;
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestCommandQueue)
#include "test_command_queue.moc"
