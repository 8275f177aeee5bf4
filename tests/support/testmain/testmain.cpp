#include "tests/support/testmain/testmain.h"

#include <cstdio>
#include <map>
#include <string>

namespace {

std::map<std::string, testmain::Run> &tests()
{
    static std::map<std::string, testmain::Run> all;
    return all;
}

std::string stemOf(std::string file)
{
    file.erase(0, file.find_last_of('/') + 1); // npos + 1 is 0
    return file.substr(0, file.find('.'));
}

int refuse()
{
    std::fputs("The first argument names the test; this program has these:\n", stderr);
    for (const auto &[name, run] : tests())
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}

} // namespace

testmain::Registered::Registered(const char *file, Run run)
{
    tests().emplace(stemOf(file), run);
}

int main(int argc, char **argv)
{
    const auto named = tests().find(argc > 1 ? argv[1] : "");
    if (named != tests().end()) {
        argv[1] = argv[0];
        return named->second(argc - 1, argv + 1);
    }
    return tests().size() == 1 ? tests().begin()->second(argc, argv) : refuse();
}
