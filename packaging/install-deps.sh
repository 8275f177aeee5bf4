#!/usr/bin/env bash
# Installs what Redrive needs from Debian 12, and nothing that is there already.
#   packaging/install-deps.sh --run          what it takes to build and use the program
#   packaging/install-deps.sh --postgresql   that, and a PostgreSQL for run.sh --postgresql
#   packaging/install-deps.sh                what it takes to build and use it, and what the tests and checks need
set -euo pipefail

run_packages=(
    g++ cmake ninja-build lld
    qt6-base-dev libqt6sql6-sqlite libqt6sql6-psql qt6-svg-dev qt6-httpserver-dev qt6-websockets-dev
    qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools
    libqcustomplot-dev qcoro-qt6-dev libexpected-dev qtkeychain-qt6-dev libsqlite3-dev libpq-dev libssl-dev
    nlohmann-json3-dev
    fonts-inter fonts-dejavu-core
)
test_packages=(
    ccache git python3 clang clang-tidy clazy
    rabbitmq-server postgresql-15 wrk
    python3-celery php-cli php-amqp php-symfony-messenger php-symfony-amqp-messenger php-symfony-serializer
    php-symfony-property-access php-symfony-property-info php-symfony-event-dispatcher php-symfony-error-handler
    xvfb xauth xdotool x11-utils openbox imagemagick librsvg2-bin python3-pil
)

# Whoever has a Node.js of their own keeps it.
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
    test_packages+=(nodejs npm)
fi

case "${1:-}" in
--run) wanted=("${run_packages[@]}") ;;
--postgresql) wanted=("${run_packages[@]}" postgresql-15) ;;
'') wanted=("${run_packages[@]}" "${test_packages[@]}") ;;
*)
    echo "usage: install-deps.sh [--run | --postgresql]" >&2
    exit 2
    ;;
esac

give_up() {
    printf 'install-deps.sh: %s\n' "$1" >&2
    exit 1
}
[ -e /etc/debian_version ] && command -v apt-get >/dev/null ||
    give_up "this needs Debian 12 (apt-get was not found); the packages are listed at the top of $0."

missing=()
for package in "${wanted[@]}"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
        give_up "root is needed to install ${missing[*]}; run it as root, or install sudo."
    as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    # RUNLEVEL: a package that is a server (RabbitMQ) is not started by its installation; the tests start their own.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
        apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -qq "$@" >>"$log" 2>&1
}
echo "Installing ${#missing[@]} packages from Debian: ${missing[*]}"
# A source of somebody else's may be unreachable; what counts is whether the packages can be had.
apt update || true
if ! apt install -y --no-install-recommends "${missing[@]}"; then
    tail -n 40 "$log" >&2
    give_up "apt-get could not install ${missing[*]}; its message is above. Check the network and Debian's sources, then run it again."
fi
