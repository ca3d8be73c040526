// The request ids in use on one connection. A second request with the same id would take over the stream of the first, which would then
// never end: the second gets an error instead, and the first continues.
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';

export type UsedIds = {
  /** Records the requests of a client's message; returns an id that is already in use, and then records nothing. */
  take(body: unknown): RequestId | undefined;
  /** The message is not served. */
  release(body: unknown): void;
};

export const duplicateId = {
  code: -32_600,
  message: 'A request with this id is already running. Wait for its answer, or use another id.',
};

/** An id is free again when its answer was sent. */
export function createUsedIds(line: Pick<Transport, 'send'>): UsedIds {
  const used = new Set<RequestId>();
  const send = line.send.bind(line);
  line.send = async (message, options) => {
    try {
      await send(message, options);
    } finally {
      if ('id' in message && !('method' in message) && message.id !== undefined) used.delete(message.id);
    }
  };
  return {
    take(body) {
      for (const id of cancelledIn(body)) used.delete(id);
      const ids = requestsIn(body);
      const twice = ids.find((id, i) => used.has(id) || ids.indexOf(id) < i);
      if (twice === undefined) for (const id of ids) used.add(id);
      return twice;
    },
    release(body) {
      for (const id of requestsIn(body)) used.delete(id);
    },
  };
}

function requestsIn(body: unknown): RequestId[] {
  return [body]
    .flat()
    .filter(isJSONRPCRequest)
    .map(({ id }) => id);
}

/** Requests that the client has cancelled. */
export function cancelledIn(body: unknown): RequestId[] {
  return [body]
    .flat()
    .filter(isJSONRPCNotification)
    .flatMap(({ method, params }) =>
      method === 'notifications/cancelled' ? [params?.requestId as RequestId] : [],
    );
}
