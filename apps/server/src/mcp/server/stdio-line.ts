// MCP over standard input and output: refuses used ids, follows subscriptions, and accepts UTF-8 only.

import { type Readable, Transform } from 'node:stream';
import { ToolError } from '@codelab/protocol';
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server';
import type { ListenBody } from './resources/subscription-bus.ts';
import { cancelledIn, createUsedIds, duplicateId } from './used-ids.ts';

// Checks on the messages of `codelab mcp` that the SDK does not make: ids that are used twice, and subscriptions of a client of 2026-07-28.
type Line = Pick<Transport, 'onmessage' | 'send'>;

/** Call this when the SDK is connected. */
export function refuseUsedIds(line: Line): void {
  const send = line.send.bind(line);
  const usedIds = createUsedIds(line);
  const { onmessage } = line;
  line.onmessage = (message, extra) => {
    const id = usedIds.take(message);
    if (id === undefined) onmessage?.(message, extra);
    // The error bypasses the wrapper above, because the first request with this id is still running.
    else send({ jsonrpc: '2.0', id, error: duplicateId }).catch(() => undefined);
  };
}

/** Watches from when the SDK has accepted a request to listen until the client cancels it. `watch` returns how to stop. */
export function followListening(line: Line, watch: (body: ListenBody) => () => void): void {
  const listenRequests = new Map<RequestId, ListenBody>();
  const stops = new Map<RequestId, () => void>();
  const { onmessage } = line;
  line.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message) && message.method === 'subscriptions/listen')
      listenRequests.set(message.id, message as unknown as ListenBody);
    for (const id of cancelledIn(message)) {
      stops.get(id)?.();
      stops.delete(id);
    }
    onmessage?.(message, extra);
  };
  const send = line.send.bind(line);
  line.send = async (message, options) => {
    await send(message, options);
    const accepted = acceptedIn(message);
    const body = accepted === undefined ? undefined : listenRequests.get(accepted);
    if (accepted !== undefined && body !== undefined) stops.set(accepted, watch(body));
    const answeredId = accepted ?? ('id' in message ? message.id : undefined);
    if (answeredId !== undefined) listenRequests.delete(answeredId);
  };
}

function acceptedIn(message: JSONRPCMessage): RequestId | undefined {
  if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged')
    return undefined;
  return message.params?._meta?.[SUBSCRIPTION_ID_META_KEY] as RequestId | undefined;
}

// Passes text on and ends at the first byte that is not UTF-8: it would be replaced by another character without notice.
export function utf8Only(input: Readable): Readable {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      try {
        decoder.decode(chunk, { stream: true });
        callback(null, chunk);
      } catch {
        callback(new ToolError('INVALID_FORMAT', 'The input is not UTF-8.'));
      }
    },
  });
  input.once('error', (error) => checked.destroy(error));
  return input.pipe(checked);
}
