#!/usr/bin/env bash
# clang-tidy and clazy on the sources that changed since the last commit older than four hours (--full: on all of them),
# newest change first, for at most eight minutes. The commands of the preset tidy are read: in it each file is compiled alone.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

minutes=8
changed_files() {
    local base
    base=$(git rev-list -1 --before='4 hours ago' HEAD 2>/dev/null) || base=
    # The empty tree: a history that is younger than four hours changed everything.
    [ -n "$base" ] || base=4b825dc642cb6eb9a060e54bf8d69288fbee4904
    git diff --name-only --diff-filter=d "$base" -- app models views backend 2>/dev/null
}
all_files() {
    find app models views backend -name '*.cpp' | sort
}

case "${1:-}" in
--full)
    minutes=0
    listed=$(all_files)
    ;;
*)
    if ! git rev-parse --git-dir >/dev/null 2>&1; then
        listed=$(all_files)
    else
        listed=$(changed_files | grep '\.cpp$' || true)
    fi
    ;;
esac

quietly cmake --preset tidy || give_up "CMake could not configure build/tidy; its message is above."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Only what the build compiles has compile commands.
files=()
while read -r file; do
    if [ -n "$file" ] && grep -q "\"file\": \"$root/$file\"" build/tidy/compile_commands.json; then
        files+=("$file")
    fi
done < <(printf '%s\n' "$listed" | xargs -r ls -t 2>/dev/null)
if [ ${#files[@]} = 0 ]; then
    echo "No source changed."
    exit 0
fi

cp build/tidy/compile_commands.json "$work/"
# Nothing is built here, and what moc makes of a header has nothing to check.
mkdir "$work/moc"
find app models views backend -name '*.h' | sed 's|.*/||; s|\.h$||' | while read -r name; do : >"$work/moc/moc_$name.cpp"; done

cat >"$work/one" <<'ONE'
#!/usr/bin/env bash
# clang 14 knows C++20 coroutines but does not say so in the macro that libstdc++ asks for.
coroutines=-D__cpp_impl_coroutine=201902L
out=$WORK/$(printf '%s' "$1" | tr / _)
clang-tidy -p "$WORK" --quiet --extra-arg="$coroutines" --extra-arg=-I"$WORK/moc" --extra-arg=-Wno-unknown-warning-option "$1" >"$out.tidy" 2>"$out.err" ||
    echo "$1" >>"$WORK/failed"
clazy-standalone -p "$WORK" -checks="$CLAZY" -header-filter='/(app|models|views|backend)/' --ignore-dirs='/usr/|/build/' \
    --extra-arg="$coroutines" --extra-arg=-I"$WORK/moc" --extra-arg=-Wno-unknown-warning-option "$1" >"$out.clazy" 2>&1 || true
if grep -qE '(warning|error): .*\[-W?clazy|error: ' "$out.clazy"; then
    echo "$1" >>"$WORK/failed"
fi
echo "$1" >>"$WORK/done"
ONE
chmod +x "$work/one"
# The reasons for what is left out of level0 and level1 are in CONTRIBUTING.md.
export WORK=$work CLAZY=level0,level1,no-non-pod-global-static,no-qproperty-without-notify,no-qhash-namespace
limit=()
[ "$minutes" = 0 ] || limit=(timeout $((minutes * 60)))
: >"$work/done"
: >"$work/failed"
printf '%s\0' "${files[@]}" | "${limit[@]}" xargs -0 -n 1 -P "$jobs" "$work/one" || true

if [ -s "$work/failed" ]; then
    sort -u "$work/failed" | while read -r file; do
        out=$work/$(printf '%s' "$file" | tr / _)
        grep -hE -A3 '(warning|error):' "$out.tidy" "$out.clazy" || cat "$out.err"
    done | awk '!seen[$0]++' | head -n 200
    echo "$(sort -u "$work/failed" | wc -l) of $(wc -l <"$work/done") checked files have findings."
    exit 1
fi
echo "$(wc -l <"$work/done") of ${#files[@]} changed files checked, no findings."
