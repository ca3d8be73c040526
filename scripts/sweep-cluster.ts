/**
 * `npm run sweep:cluster`: three gateways behind a load balancer over three nats-servers, many users at work, while nodes are killed and
 * paused and a server is killed. docs/scale-out.md lists the checks.
 * Flags: --sessions N, --seconds S, --seed N, --lease SECONDS, --pause SECONDS, --every SECONDS, --think SECONDS.
 */
import { parseArgs } from 'node:util';
import { runClusterChaos } from '../test/support/cluster-chaos.ts';
import { natsProgram } from '../test/support/nats-servers.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    lease: { type: 'string', default: '6' },
    pause: { type: 'string', default: '15' },
    every: { type: 'string', default: '8' },
    think: { type: 'string', default: '60' },
  },
});
const number = (name: keyof typeof values): number => Number(values[name]);
if (natsProgram === undefined) process.exit(1);
const start = performance.now();
const report = await runClusterChaos({
  sessions: number('sessions'),
  seconds: number('seconds'),
  seed: number('seed'),
  leaseSeconds: number('lease'),
  pauseMs: number('pause') * 1000,
  everyMs: number('every') * 1000,
  thinkMs: number('think') * 1000,
  onEvent: (text) => console.log(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${text}`),
});
const { failures, failovers, turns, calls, unknown, kills, pauses, brokerKills } = report;
const part = (sorted: readonly number[], share: number): string =>
  `${Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)} ms`;
console.log(
  `${values.sessions} sessions, ${turns} turns, ${calls} calls, ${unknown} of them ended as unknown or failed`,
);
console.log(`${kills} kills, ${pauses} pauses, ${brokerKills} servers killed`);
for (const fault of ['killed', 'paused'] as const) {
  const those = failovers.filter((failover) => failover.fault === fault);
  const takeoverTimes = those.map(({ takenMs }) => takenMs).toSorted((a, b) => a - b);
  const all = those.map(({ ms }) => ms);
  console.log(
    `failover of ${those.length} sessions of ${fault} nodes: median ${part(all, 0.5)}, 99 of 100 ${part(all, 0.99)}, lease ${values.lease} s; ` +
      `until another node had them: median ${part(takeoverTimes, 0.5)}, 99 of 100 ${part(takeoverTimes, 0.99)}`,
  );
}
const all = failovers.map(({ ms }) => ms);
console.log(
  `failover of all ${all.length} sessions: median ${part(all, 0.5)}, 99 of 100 ${part(all, 0.99)}, lease ${values.lease} s`,
);
for (const { session, ms, takenMs, fault, before, after } of failovers.slice(-10))
  console.log(
    `slow: ${session} ${fault}, ${Math.round(ms)} ms, taken after ${Math.round(takenMs)} ms, ${before} to ${after}`,
  );
for (const failure of failures.slice(0, 50)) console.log(`FAILED  ${failure}`);
console.log(`${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);
