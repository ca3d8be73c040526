// The log of test gateways: SQLite in their home, unless a test file runs others again with another log.
import { hash } from 'node:crypto';

export const testLogVariable = 'CODELAB_TEST_LOG';

/** The same for a command, in its environment. */
export function testLogEnv(home: string): { CODELAB_LOG?: string } {
  const { log } = testLog(home);
  return log === undefined ? {} : { CODELAB_LOG: log };
}

/** How long an outage test keeps the servers away, for long ones: `NATS_OUTAGE_SECONDS=30`. */
export const outageSeconds = Number(process.env.NATS_OUTAGE_SECONDS ?? 0);

/** On the servers in the variable, each home has a separate log. */
export function testLog(home: string): { log?: string } {
  const servers = process.env[testLogVariable];
  return servers === undefined
    ? {}
    : { log: `${servers}/t${hash('sha256', home, 'hex').slice(0, 16)}?wait=${20 + outageSeconds}` };
}
