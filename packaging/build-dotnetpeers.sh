#!/usr/bin/env bash
# Builds the programs of tests/peers on .NET (MassTransit, Wolverine) into build/dotnetpeers, with the packages that their
# packages.lock.json name, from NuGet. Needs the .NET SDK 10. `packaging/test.sh --full` calls it where there is one.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
from=$root/tests/peers
to=$root/build/dotnetpeers

give_up() {
    printf 'build-dotnetpeers.sh: %s\n' "$1" >&2
    exit 1
}

command -v dotnet >/dev/null || give_up "dotnet was not found: install the .NET SDK 10, then run it again."
dotnet --list-sdks | grep -q '^10\.' || give_up "the .NET SDK 10 is needed; dotnet --list-sdks names none."

log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
for project in masstransit/MassTransitShop wolverine/WolverineShop; do
    name=${project#*/}
    rm -rf "${to:?}/$name"
    echo "Building $name into build/dotnetpeers"
    if ! dotnet publish "$from/$project.csproj" -c Release -p:RestoreLockedMode=true \
        --artifacts-path "$to/work" -o "$to/$name" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        give_up "dotnet could not build $name; its message is above. Check the network, then run it again."
    fi
done
