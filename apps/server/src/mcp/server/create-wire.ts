// The shared state of the servers of one MCP wire, over HTTP or over standard input and output.
import { randomBytes } from 'node:crypto';
import { createRequestStateCodec } from '@modelcontextprotocol/server';
import type { McpWire } from './caller.ts';
import { createLiveCalls } from './calls/live-calls.ts';

type Options = Pick<McpWire, 'gateway' | 'version' | 'onFault' | 'isClosing'> &
  Partial<Pick<McpWire, 'patienceMs' | 'extra' | 'publish'>>;

// Longer than any approval waits; the approval's own deadline counts.
const stateSeconds = 24 * 3600;
// Less than the minute after which clients give up.
const defaultPatienceMs = 45_000;

export function createWire(options: Options): McpWire {
  return {
    patienceMs: defaultPatienceMs,
    extra: undefined,
    publish: () => undefined,
    ...options,
    calls: createLiveCalls(options.onFault),
    states: createRequestStateCodec({ key: randomBytes(32), ttlSeconds: stateSeconds }),
  };
}
