#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test: with AddressSanitizer and UBSan, the ones about speed
# and memory in release. Then clang-tidy and clazy on the files that changed (--full: on all, and the long tests run, too).
# Ends with CTest's summary and what was left out of it.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case "${1:-}" in
'' | --full) ;;
*)
    echo "usage: test.sh [--full]" >&2
    exit 2
    ;;
esac

step "Packages"
"$root/packaging/install-deps.sh"
end_step
leave_root "$@"
cd "$root"

# Two builds and what the tests write: better said now than by a compiler in a quarter of an hour.
needs=7
[ ! -d build/asan/tests ] || needs=3
free=$(($(df --output=avail -k "$root" | tail -n 1) / 1024 / 1024))
[ "$free" -ge "$needs" ] || give_up "a run needs $needs GB of disk in $root, and $free GB are free there."

step "Test servers"
"$root/packaging/install-testservers.sh"
if [ "${1:-}" = --full ]; then
    "$root/packaging/build-dotnetpeers.sh" || echo "The peers on .NET (MassTransit, Wolverine) are skipped."
fi

# Beside the build: it waits for the network.
newer=build/newer-rabbitmqs.log
packaging/install-rabbitmqs.sh >"$newer" 2>&1 &
fetching=$!
findings=$(mktemp)
trap 'rm -f "$findings"; kill "$fetching" 2>/dev/null || true' EXIT

step "Configure (asan, release)"
# Three checks of UBSan stand at every access to memory. They are a third of what the compiler writes and half of its time, and
# what two of them find ends a program under AddressSanitizer, too. --full has all.
without=null,alignment,object-size
[ "${1:-}" != --full ] || without=
quietly cmake --preset asan -DREDRIVE_SANITIZE_WITHOUT="$without" || give_up "CMake could not configure build/asan; its message is above."
quietly cmake --preset release -DREDRIVE_TESTS=ON -DREDRIVE_TEST_LABEL=release ||
    give_up "CMake could not configure build/release; its message is above."

before=$(date +%s)
read -r hits_before misses_before < <(cache_counts)
step "Build with sanitizers, $jobs jobs"
cmake --build build/asan -j "$jobs" -- --quiet || give_up "the build in build/asan failed; the compiler's messages are above."

step "Build in release, $jobs jobs"
cmake --build build/release -j "$jobs" -- --quiet ||
    give_up "the build in build/release failed; the compiler's messages are above."

for build in asan release; do
    echo "What build/$build spent in this run:"
    packaging/buildtimes.py "build/$build" "$before" || true
done

step "clang-tidy and clazy"
checks=0
"$root/packaging/check.sh" "$@" 2>&1 | tee "$findings" || checks=1

wait "$fetching" || { cat "$newer" && echo "The tests on newer RabbitMQ servers are skipped."; }

# One run over both builds, so that there is one summary. It is the last thing printed: what is said of times comes before it.
step "Tests"
mkdir -p build/all
printf 'subdirs("%s" "%s")\n' "$root/build/asan" "$root/build/release" >build/all/CTestTestfile.cmake
tests=0
which=(-LE '^long$')
[ "${1:-}" != --full ] || which=()
rm -f build/all/times.xml build/all/summary.txt
ctest --test-dir build/all --no-tests=error --output-on-failure --output-junit times.xml "${which[@]}" -j "$jobs" |
    awk '/^[0-9]+% tests passed/ { held = 1 } held { print > "build/all/summary.txt"; next } { print; fflush() }' || tests=$?
end_step
[ ! -s build/all/times.xml ] || packaging/testtimes.py build/all/times.xml || true
read -r hits misses < <(cache_counts)
echo "Compiler cache: $((hits - hits_before)) hits, $((misses - misses_before)) misses."
if [ "$checks" != 0 ]; then # said again where the run ends: the tests have printed much since
    head -n 60 "$findings"
    echo "clang-tidy or clazy found something: this run fails whatever the tests say."
fi
echo
# What failed is said again, too, and before the summary, which stays the last thing.
[ ! -s build/all/times.xml ] || packaging/testtimes.py --failed build/all/times.xml || true
[ ! -s build/all/summary.txt ] || cat build/all/summary.txt
node="$(node --version 2>/dev/null || true)"
major="${node#v}"
major="${major%%.*}"
if [ "${major:-0}" -lt 20 ]; then
    echo "Left out: the tests of Amazon SQS on fauxqs, which needs Node.js 20 (here: ${node:-none}); those on the fake ran."
fi
[ ! -s build/all/times.xml ] || packaging/testtimes.py --skipped build/all/times.xml || true
[ "${1:-}" = --full ] ||
    echo "Left out: the tests labelled long, which packaging/test.sh --full runs; the peers MassTransit and Wolverine are among them."
[ "$checks" = 0 ] || exit 1
exit "$tests"
