#!/usr/bin/env bash
# Installs what tests run against from npm into build/testservers: azurite, Microsoft's Storage Queues, and fauxqs, which answers
# as SQS, both servers; azure-sb, Microsoft's client of Service Bus, for our own broker; and what the peers on Node.js are made of:
# rascal, a consumer on RabbitMQ, the AWS SDK for SQS, and Microsoft's client of Storage Queues; and rhea, a client of AMQP 1.0. The versions that
# tests/peers/package-lock.json names, and nothing that is there already. It needs Node.js 18 or newer; fauxqs, the AWS SDK and
# Microsoft's client run on 20 or newer, and their tests are skipped on an older one.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
from=$root/tests/peers
to=$root/build/testservers

give_up() {
    printf 'install-testservers.sh: %s\n' "$1" >&2
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
echo "Installing test servers and clients from npm into build/testservers"
rm -rf "$to"
mkdir -p "$to"
cp "$from/package.json" "$from/package-lock.json" "$to/"
if ! (cd "$to" && npm ci --ignore-scripts --omit=dev --no-audit --no-fund --fetch-retries=3) >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    give_up "npm could not install the test servers; its message is above. Check the network, then run it again."
fi
cp "$from/package-lock.json" "$to/installed-lock.json"
