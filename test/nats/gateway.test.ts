// The gateway's own suites once more, with the session log on a nats-server.
import { afterAll, beforeAll, describe } from 'vitest';
import { natsProgram, startNatsServers } from '../support/nats-servers.ts';
import { testLogVariable } from '../support/test-log.ts';

const servers = natsProgram === undefined ? undefined : await startNatsServers();
beforeAll(() => {
  if (servers !== undefined) process.env[testLogVariable] = servers.url;
});
afterAll(async () => {
  delete process.env[testLogVariable];
  await servers?.[Symbol.asyncDispose]();
});

// Wires, ownership, resuming after a restart, and calls that an editor carries out. Several gateways: nats-cluster.test.ts.
const suites = {
  'gateway-approvals': () => import('../gateway/approvals.test.ts'),
  'gateway-executor': () => import('../gateway/executor.test.ts'),
  'gateway-left-calls': () => import('../gateway/left-calls.test.ts'),
  'gateway-restart': () => import('../gateway/restart.test.ts'),
  'gateway-socket': () => import('../gateway/socket.test.ts'),
  'http-ownership': () => import('../http/ownership.test.ts'),
};
for (const [name, load] of Object.entries(suites))
  describe.skipIf(servers === undefined)(`${name} on NATS`, async () => {
    if (servers !== undefined) await load();
  });
