#!/bin/sh
# Three nats-servers, three gateways and a load balancer on this machine, each a process of this shell: Ctrl-C ends them all.
# start.sh [WORKSPACE]. Settings: CODELAB_CLUSTER_DIR (state, default: a new folder in /tmp), PORT (of the balancer, default 4040),
# NATS_SERVER and CODELAB (programs), NODE.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
workspace=$(cd "${1:-.}" && pwd)
state=${CODELAB_CLUSTER_DIR:-$(mktemp -d)}
port=${PORT:-4040}
nats=${NATS_SERVER:-nats-server}
codelab=${CODELAB:-codelab}
node=${NODE:-node}

command -v "$nats" >/dev/null || { echo "nats-server 2.10 or newer is missing: https://docs.nats.io/running-a-nats-service/introduction/installation" >&2; exit 1; }
mkdir -p "$state"
umask 077
[ -s "$state/token" ] || od -An -tx1 -N24 /dev/urandom | tr -d ' \n' >"$state/token"

servers= gateways=
stop() {
  trap - EXIT INT TERM
  set +e
  # Gateways first: they hand their sessions back through the servers.
  if [ -n "$gateways" ]; then kill $gateways 2>/dev/null; wait $gateways; fi
  if [ -n "$servers" ]; then kill $servers 2>/dev/null; wait $servers; fi
  exit 0
}
trap stop EXIT INT TERM

routes= urls= backends=
for n in 1 2 3; do
  routes="$routes nats://127.0.0.1:$((port + 20 + n)),"
  urls="$urls${urls:+,}127.0.0.1:$((port + 10 + n))"
  backends="$backends http://127.0.0.1:$((port + n))"
done

for n in 1 2 3; do
  cat >"$state/nats-$n.conf" <<CONF
listen: 127.0.0.1:$((port + 10 + n))
server_name: n$n
jetstream { store_dir: "$state/nats-$n" }
cluster { name: codelab, listen: 127.0.0.1:$((port + 20 + n)), routes: [ $routes ] }
CONF
  "$nats" -c "$state/nats-$n.conf" >"$state/nats-$n.log" 2>&1 &
  servers="$servers $!"
done

# The first one makes the streams; the others find them. They sign the audit record with one key.
for n in 1 2 3; do
  mkdir -p "$state/home-$n"
  CODELAB_HOME="$state/home-$n" CODELAB_KEYS="$state/keys" "$codelab" serve --workspace "$workspace" \
    --log "nats://$urls?replicas=3" --port $((port + n)) --token-file "$state/token" >"$state/gateway-$n.log" 2>&1 &
  gateways="$gateways $!"
done
"$node" "$here/balance.ts" "$port" $backends &
gateways="$gateways $!"

tries=0
until curl -fsS -o /dev/null "http://127.0.0.1:$port/health/ready" 2>/dev/null; do
  tries=$((tries + 1))
  [ $tries -lt 120 ] || { echo "The cluster is not ready after a minute. See $state/*.log" >&2; exit 1; }
  sleep 0.5
done
echo "Ready: http://127.0.0.1:$port, token in $state/token, logs in $state"
echo "Try:   curl -H \"Authorization: Bearer \$(cat $state/token)\" -X POST http://127.0.0.1:$port/api/v1/sessions"
wait
