#!/usr/bin/env bash
# Every shell script parses, is executable where it is meant to be run, and stops at its first error.
set -euo pipefail
cd "$1"
bad=0
complain() {
    echo "$1"
    bad=1
}
count=0
for script in packaging/*.sh tests/lint/*.sh .ci/run; do
    count=$((count + 1))
    bash -n "$script" || complain "$script does not parse"
    case $script in
    packaging/common.sh | tests/*) ;;
    *) [ -x "$script" ] || complain "$script is not executable" ;;
    esac
    case $script in
    .ci/run) ;;
    *) grep -qE '^set -euo pipefail|common\.sh"$' "$script" || complain "$script goes on after an error" ;;
    esac
done
bash -n packaging/redrive.bash-completion || complain "the completion does not parse"
printf 'if then fi\n' | bash -n 2>/dev/null && complain "bash -n finds nothing"
echo "$count scripts"
exit $bad
