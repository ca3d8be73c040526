// Three gateways over three nats-servers while nodes are killed and paused, and a server is killed. `npm run sweep:cluster` does the same
// for longer and with more sessions.
import { expect, test } from 'vitest';
import { runClusterChaos } from '../support/cluster-chaos.ts';
import { natsProgram } from '../support/nats-servers.ts';

test.skipIf(natsProgram === undefined)(
  'whatever happens to nodes, no call runs twice, no decision and no entry is lost, and every view is the log',
  { timeout: 120_000 },
  async () => {
    const { failures, turns, kills, pauses, brokerKills } = await runClusterChaos({
      ...{ sessions: 6, seconds: 9, seed: 5, leaseSeconds: 1, pauseMs: 2500, everyMs: 1500 },
    });
    expect(failures).toEqual([]);
    expect(turns).toBeGreaterThan(5);
    expect(kills + pauses).toBeGreaterThan(0);
    expect(brokerKills).toBe(1);
  },
);
