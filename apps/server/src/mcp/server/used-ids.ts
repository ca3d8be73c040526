// The request ids in use on one connection. A second request with an id in use would take over the stream of the first, which then
// never ends: the second is answered with an error instead, and the first goes on.
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';

export type UsedIds = {
  /** Records the requests of a client's message; returns an id that is already in use, and then records nothing. */
  take(sent: unknown): RequestId | undefined;
  /** The message is not served. */
  release(sent: unknown): void;
};

export const duplicateId = {
  code: -32_600,
  message: 'A request with this id is under way. Wait for its answer, or use another id.',
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
    take(sent) {
      for (const id of cancelledIn(sent)) used.delete(id);
      const ids = requestsIn(sent);
      const twice = ids.find((id, i) => used.has(id) || ids.indexOf(id) < i);
      if (twice === undefined) for (const id of ids) used.add(id);
      return twice;
    },
    release(sent) {
      for (const id of requestsIn(sent)) used.delete(id);
    },
  };
}

function requestsIn(sent: unknown): RequestId[] {
  return [sent]
    .flat()
    .filter(isJSONRPCRequest)
    .map(({ id }) => id);
}

/** Requests that the client has cancelled. */
export function cancelledIn(sent: unknown): RequestId[] {
  return [sent]
    .flat()
    .filter(isJSONRPCNotification)
    .flatMap(({ method, params }) =>
      method === 'notifications/cancelled' ? [params?.requestId as RequestId] : [],
    );
}
