// The latest messages on the streams of one MCP session, so that a client whose connection broke gets the rest when it comes back.
import { randomUUID } from 'node:crypto';
import { type EventStore, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

type Message = Parameters<EventStore['storeEvent']>[1];
type StoredEvent = { id: string; stream: string; message: Message; chars: number };

const mostEvents = 256;
const mostChars = 2 * 1024 * 1024;

export function createEventStore(): EventStore {
  const events: StoredEvent[] = [];
  let chars = 0;
  const find = (id: string): StoredEvent | undefined => events.find((event) => event.id === id);
  return {
    async storeEvent(stream, message) {
      const stored = { id: randomUUID(), stream, message, chars: JSON.stringify(message).length };
      events.push(stored);
      chars += stored.chars;
      // The latest event stays, whatever its size.
      while (events.length > 1 && (events.length > mostEvents || chars > mostChars))
        chars -= events.shift()?.chars ?? 0;
      return stored.id;
    },
    getStreamIdForEventId: async (id) => find(id)?.stream,
    async replayEventsAfter(id, { send }) {
      const last = find(id);
      if (last === undefined)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'What came after this event is no longer known.',
        );
      const missed = events.slice(events.indexOf(last) + 1).filter(({ stream }) => stream === last.stream);
      // The first event of a stream has no message.
      for (const { id: next, message } of missed) if ('jsonrpc' in message) await send(next, message);
      return last.stream;
    },
  };
}
