// Runs a target over files and folders of inputs: the corpus in the tests, one file when somebody looks into a finding.
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace {

using Paths = std::vector<std::filesystem::path>;

Paths inputsOf(int count, char **arguments)
{
    Paths files;
    for (int i = 1; i < count; ++i) {
        const std::filesystem::path given(arguments[i]);
        if (!std::filesystem::is_directory(given)) {
            files.push_back(given);
            continue;
        }
        for (const auto &entry : std::filesystem::directory_iterator(given)) {
            if (entry.is_regular_file())
                files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

int main(int count, char **arguments)
{
    const Paths files = inputsOf(count, arguments);
    if (files.empty()) {
        std::fprintf(stderr, "no input: name files, or a folder with files\n");
        return 2;
    }
    for (const auto &file : files) {
        std::ifstream stream(file, std::ios::binary);
        if (!stream) {
            std::fprintf(stderr, "%s cannot be read\n", file.c_str());
            return 2;
        }
        const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        // Named before it runs: what ends the program below is this one's.
        std::printf("%s\n", file.c_str());
        std::fflush(stdout);
        LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
    }
    std::printf("%zu inputs, every property holds\n", files.size());
    return 0;
}
