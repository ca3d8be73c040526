#!/usr/bin/env bash
# Installs the system tools the tests drive: only those missing, only where it may (root, apt-get).
# Elsewhere it names them and goes on. Commands and their Debian packages have the same name, but for bwrap and what is Python’s.
set -euo pipefail

missing=()
for tool in git strace tmux shellcheck; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
command -v bwrap >/dev/null || missing+=(bubblewrap)
/usr/bin/python3 -c 'import websockets' 2>/dev/null || missing+=(python3-websockets)
# The language server of Debian finds nothing without its two checkers.
command -v pylsp >/dev/null || missing+=(python3-pylsp)
/usr/bin/python3 -c 'import pyflakes, pycodestyle' 2>/dev/null || missing+=(python3-pyflakes python3-pycodestyle)
# Pages cost half as much in the shell as in the whole browser; either will do.
command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
# The log on NATS needs nats-server 2.10: on the path, or as the tests find it. Older Debian releases have 2.9.
nats_folder=$(cd "$(dirname "$0")/.." && pwd)/.cache/nats
has_nats() {
  for program in "${CODELAB_NATS_SERVER:-}" nats-server "$nats_folder/usr/sbin/nats-server"; do
    "$program" --version 2>/dev/null | grep -Eq 'v(2\.(1[0-9]|[2-9][0-9])|[3-9])\.' && return 0
  done
  return 1
}
has_nats || missing+=(nats-server)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "Missing tools that some tests need: ${missing[*]}" >&2
  exit 0
fi

export DEBIAN_FRONTEND=noninteractive
# One by one: a package that this release does not have must not keep the others away.
install() {
  echo "Installing $1"
  apt-get install -y -qq --no-install-recommends "$1" >/dev/null || echo "Could not install: $1" >&2
}
# A machine without a network says so soon.
apt-get update -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=10 || true
for package in "${missing[@]}"; do [ "$package" = nats-server ] || install "$package"; done
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || install chromium

# From a newer release, unpacked beside the sources: nothing of it is installed.
get_nats() {
  local sources=/etc/apt/sources.list.d/debian.sources scratch
  [ -f "$sources" ] || return 1
  scratch=$(mktemp -d)
  mkdir -p "$scratch/lists/partial" "$scratch/cache/archives/partial" "$nats_folder"
  sed -n '1,/^$/p' "$sources" | sed 's/^Suites:.*/Suites: trixie/' >"$scratch/trixie.sources"
  local apt=(apt-get -o "Dir::Etc::sourcelist=$scratch/trixie.sources" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$scratch/lists" -o "Dir::Cache=$scratch/cache" -o APT::Sandbox::User=root
    -o Acquire::Retries=0 -o Acquire::http::Timeout=10)
  (cd "$scratch" && "${apt[@]}" update -qq && "${apt[@]}" download -qq nats-server && dpkg -x nats-server_*.deb "$nats_folder")
  local status=$?
  rm -rf "$scratch"
  return $status
}
if ! has_nats; then
  echo "Getting nats-server"
  get_nats && has_nats || echo "Could not get nats-server 2.10 or newer: the tests of the log on NATS are skipped." >&2
fi
