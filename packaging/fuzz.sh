#!/usr/bin/env bash
# Runs the fuzz targets of tests/fuzz with libFuzzer, AddressSanitizer and UBSan, and says of each what came of it.
#   packaging/fuzz.sh [--minutes N] [--jobs N] [--merge] [TARGET...]
# Without a target all of them run, N minutes each (one, unless said), as many at once as there are processors. New inputs stay in
# build/fuzz-found/TARGET and are used again the next time; --merge takes those into tests/fuzz/corpus that reach what no input
# there does. An input that broke something lies in build/fuzz-found/TARGET.findings; the script then ends with 1.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

usage() {
    echo "usage: fuzz.sh [--minutes N] [--jobs N] [--merge] [TARGET...]" >&2
    exit 2
}
is_count() {
    [[ "${1:-}" =~ ^[1-9][0-9]{0,3}$ ]]
}

minutes=1
merge=0
targets=()
while [ $# -gt 0 ]; do
    case "$1" in
    --minutes | --jobs)
        is_count "${2:-}" || usage
        if [ "$1" = --minutes ]; then minutes=$2; else jobs=$2; fi
        shift
        ;;
    --merge) merge=1 ;;
    -*) usage ;;
    *)
        [ -f "tests/fuzz/$1.cpp" ] && [ -d "tests/fuzz/corpus/$1" ] ||
            give_up "there is no target $1; the targets are $(ls tests/fuzz/corpus | tr '\n' ' ')"
        targets+=("$1")
        ;;
    esac
    shift
done
if [ ${#targets[@]} = 0 ]; then
    mapfile -t targets < <(ls tests/fuzz/corpus)
fi
command -v clang++ >/dev/null || give_up "libFuzzer comes with clang; packaging/install-deps.sh installs it."

build=build/fuzz
found=build/fuzz-found
quietly cmake --preset fuzz || give_up "CMake could not configure $build; its message is above."
# shellcheck disable=SC2046
nice -n 19 cmake --build "$build" -j "$jobs" --target $(printf 'fuzz_%s ' "${targets[@]}") -- --quiet ||
    give_up "the build in $build failed; the compiler's messages are above."

export QT_FORCE_ASSERTS=1 TZ=UTC UBSAN_OPTIONS=print_stacktrace=1
longest=16384  # bytes of an input: what is long finds little and slowly
patience=20    # seconds for one input
memory=2048    # MB

# The last number behind a word of libFuzzer's report; "?" where it says none.
last() {
    grep -oE "$1 *[0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$' || echo '?'
}

run() {
    local target=$1 log=$found/$1.log status=0 start=$SECONDS
    mkdir -p "$found/$target" "$found/$target.findings"
    nice -n 19 "$build/tests/fuzz/fuzz_$target" -max_total_time=$((minutes * 60)) -timeout=$patience \
        -rss_limit_mb=$memory -max_len=$longest -dict=tests/fuzz/words.dict -print_final_stats=1 \
        -artifact_prefix="$found/$target.findings/" "$found/$target" "tests/fuzz/corpus/$target" \
        >"$log" 2>&1 </dev/null || status=$?
    printf '%s: %d s, %s executions, %s edges, %s inputs in the corpus and %s new ones, ' "$target" \
        $((SECONDS - start)) "$(last 'stat::number_of_executed_units:' "$log")" "$(last 'cov:' "$log")" \
        "$(find "tests/fuzz/corpus/$target" -type f | wc -l)" "$(find "$found/$target" -type f | wc -l)"
    if [ "$status" = 0 ]; then
        echo "no finding"
        return 0
    fi
    echo "A FINDING: $(grep -m 1 -oE 'VIOLATED: .*|runtime error: .*|SUMMARY: .*' "$log" || echo "status $status")"
    grep -oE "$found/$target.findings/[^ ]+" "$log" | tail -n 1 | sed 's/^/    input: /'
    echo "    report: $log"
    return 1
}

bad=0
running=0
for target in "${targets[@]}"; do
    if [ "$running" -ge "$jobs" ]; then
        wait -n || bad=1
        running=$((running - 1))
    fi
    run "$target" &
    running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
    wait -n || bad=1
    running=$((running - 1))
done

if [ "$merge" = 1 ] && [ "$bad" = 0 ]; then
    for target in "${targets[@]}"; do
        before=$(find "tests/fuzz/corpus/$target" -type f | wc -l)
        quietly nice -n 19 "$build/tests/fuzz/fuzz_$target" -merge=1 -max_len=$longest -timeout=$patience \
            "tests/fuzz/corpus/$target" "$found/$target" || give_up "the inputs of $target could not be merged."
        echo "$target: $(($(find "tests/fuzz/corpus/$target" -type f | wc -l) - before)) inputs taken into the corpus"
    done
fi
exit "$bad"
