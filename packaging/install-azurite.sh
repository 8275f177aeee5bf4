#!/usr/bin/env bash
# Installs azurite, Microsoft's Storage Queues server that tests run against, from npm into build/azurite: the versions that
# tests/azurite/package-lock.json names, and nothing that is there already. It needs Node.js 18 or newer.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
from=$root/tests/azurite
to=$root/build/azurite

give_up() {
    printf 'install-azurite.sh: %s\n' "$1" >&2
    exit 1
}

# Written last: what an interruption left is no installation.
if cmp -s "$from/package-lock.json" "$to/installed-lock.json"; then
    exit 0
fi
command -v npm >/dev/null || give_up "npm was not found: install the packages nodejs and npm, then run it again."
node=$(node --version 2>/dev/null || true)
major=${node#v}
[ "${major%%.*}" -ge 18 ] 2>/dev/null || give_up "Node.js 18 or newer is needed; node --version says '${node:-nothing}'."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Installing azurite from npm into build/azurite"
rm -rf "$to"
mkdir -p "$to"
cp "$from/package.json" "$from/package-lock.json" "$to/"
if ! (cd "$to" && npm ci --ignore-scripts --omit=dev --no-audit --no-fund --fetch-retries=3) >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    give_up "npm could not install azurite; its words are above. Check the network, then run it again."
fi
cp "$from/package-lock.json" "$to/installed-lock.json"
