#!/usr/bin/env bash
# Installs the system tools the tests drive: only those missing, only where it may (root, apt-get).
# Elsewhere it names them and goes on. Commands and their Debian packages have the same name, but for bwrap and Python’s WebSocket client.
set -euo pipefail

missing=()
for tool in git strace tmux; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
command -v bwrap >/dev/null || missing+=(bubblewrap)
/usr/bin/python3 -c 'import websockets' 2>/dev/null || missing+=(python3-websockets)
# Pages cost half as much in the shell as in the whole browser; either will do.
command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
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
for package in "${missing[@]}"; do install "$package"; done
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || install chromium
