#pragma once

#include <QCoreApplication>
#include <QTest>

// Makes a class of Qt Test a test: `REDRIVE_TEST(TestGlob)` at the end of tst_glob.cpp, before its .moc. The tests of a
// folder are one program, which is linked once; CTest starts it for each of them: `tests_backend_core tst_glob [arguments
// of Qt Test]`. A program with one test needs no name.

namespace testmain {

using Run = int (*)(int argc, char **argv);

// Before main(): keeps `run` under the name of its source.
struct Registered
{
    Registered(const char *file, Run run);
};

template <typename Test, typename Application>
int run(int argc, char **argv)
{
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    const Application application(argc, argv);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace testmain

// For a test that prepares something before it has an application, or that starts its own program again.
#define REDRIVE_TEST_RUN(run) static const testmain::Registered registered_##run(__FILE__, run);

#define REDRIVE_TEST_IN(Application, Test) \
    static const testmain::Registered registered##Test(__FILE__, testmain::run<Test, Application>);

#define REDRIVE_TEST(Test) REDRIVE_TEST_IN(QCoreApplication, Test)
#define REDRIVE_WIDGET_TEST(Test) REDRIVE_TEST_IN(QApplication, Test)
