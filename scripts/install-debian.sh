#!/usr/bin/env bash
# Installs the system tools the tests drive: only those missing, only where it may (root, apt-get).
# Elsewhere it names them and goes on. Commands and their Debian packages have the same name, but for bwrap and Python’s WebSocket client.
set -euo pipefail

missing=()
for tool in chromium git strace tmux; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done
command -v bwrap >/dev/null || missing+=(bubblewrap)
/usr/bin/python3 -c 'import websockets' 2>/dev/null || missing+=(python3-websockets)
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "Missing tools that some tests need: ${missing[*]}" >&2
  exit 0
fi

echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
  echo "Could not install: ${missing[*]}" >&2
