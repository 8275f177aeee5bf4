#!/usr/bin/env bash
# Puts newer RabbitMQ servers of Debian into build/rabbitmq, beside the one of Debian 12: trixie has 4.0, sid the newest. Each is a
# folder to chroot into, with the libraries of its Debian. The packages (80 MB each) come from the mirror of this machine, are
# checked with the keys of Debian, and nothing is installed. Tests on them need root, or a kernel that lets a user be root in a
# namespace of their own; without one, or without these folders, they are skipped.
# usage: install-rabbitmqs.sh [trixie] [sid]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
keys=/usr/share/keyrings/debian-archive-keyring.gpg

give_up() {
    printf 'install-rabbitmqs.sh: %s\n' "$1" >&2
    exit 1
}

for tool in apt-get dpkg-deb unshare; do
    command -v "$tool" >/dev/null || give_up "$tool was not found: this needs Debian."
done
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' \
    'Component: main' | sed -n 1p) # security updates have the same origin and another label
[ -n "$mirror" ] || give_up "apt-get names no mirror of Debian: see /etc/apt/sources.list."

# The packages of a suite and what they need, by an apt of its own that believes nothing to be installed.
download() {
    mkdir -p lists/partial cache/archives/partial
    : >status
    printf 'deb [signed-by=%s] %s %s main\n' "$keys" "$mirror" "$1" >sources.list
    local apt=(apt-get -qq -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$PWD/lists"
        -o Dir::State::status="$PWD/status" -o Dir::Cache="$PWD/cache" -o APT::Sandbox::User=)
    "${apt[@]}" update &&
        "${apt[@]}" -y --no-install-recommends --download-only install rabbitmq-server bash coreutils sed
}

unpack() {
    mkdir -p root/usr/{bin,sbin,lib,lib64} root/{proc,dev,tmp,etc}
    local place
    for place in bin sbin lib lib64; do ln -sfn "usr/$place" "root/$place"; done
    for package in cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x -C root --keep-directory-symlink --no-same-owner
    done
    [ -e root/usr/bin/sh ] || ln -s bash root/usr/bin/sh
    echo 'root:x:0:0:root:/:/bin/sh' >root/etc/passwd
    echo 'root:x:0:' >root/etc/group
    printf '127.0.0.1 localhost %s\n' "$(hostname)" >root/etc/hosts
}

install_suite() {
    local to=$root/build/rabbitmq/$1
    # The last step, so that what an interruption left is no installation.
    [ ! -e "$to/usr/lib/rabbitmq/bin/rabbitmq-server" ] || return 0
    local work=$root/build/rabbitmq/$1.part log=$root/build/rabbitmq/$1.log
    rm -rf "$to" "$work"
    mkdir -p "$work"
    echo "Fetching the RabbitMQ of Debian $1 into build/rabbitmq/$1"
    if ! (cd "$work" && download "$1" && unpack) >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -rf "$work"
        return 1
    fi
    mv "$work/root" "$to" && rm -rf "$work" "$log"
}

mkdir -p "$root/build/rabbitmq"
[ $# -gt 0 ] || set -- trixie sid
missing=()
for suite in "$@"; do install_suite "$suite" || missing+=("$suite"); done
[ ${#missing[@]} -eq 0 ] ||
    give_up "the RabbitMQ of Debian ${missing[*]} cannot be had; the message is above. Check the network, then run it again."
