// What the servers of one MCP wire share, over HTTP or over standard input and output.
import { randomBytes } from 'node:crypto';
import { createRequestStateCodec } from '@modelcontextprotocol/server';
import type { AskedState, Wire } from './caller.ts';
import { createLiveCalls } from './live-calls.ts';

// Longer than any question waits; the approval's own deadline is what counts.
const stateSeconds = 24 * 3600;

export function createWire(options: Pick<Wire, 'gateway' | 'version' | 'onFault' | 'isClosing'>): Wire {
  const states = createRequestStateCodec<AskedState>({ key: randomBytes(32), ttlSeconds: stateSeconds });
  return { ...options, calls: createLiveCalls(options.onFault), states };
}
