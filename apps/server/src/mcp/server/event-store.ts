// What was sent on the streams of one MCP session lately, so that a client whose line was cut hears the rest when it comes back.
import { randomUUID } from 'node:crypto';
import { type EventStore, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

type Message = Parameters<EventStore['storeEvent']>[1];
type Kept = { id: string; stream: string; message: Message; chars: number };

const mostEvents = 256;
const mostChars = 2 * 1024 * 1024;

export function createEventStore(): EventStore {
  const kept: Kept[] = [];
  let chars = 0;
  const find = (id: string): Kept | undefined => kept.find((one) => one.id === id);
  return {
    async storeEvent(stream, message) {
      const own = { id: randomUUID(), stream, message, chars: JSON.stringify(message).length };
      kept.push(own);
      chars += own.chars;
      // The latest stays, however long it is.
      while (kept.length > 1 && (kept.length > mostEvents || chars > mostChars))
        chars -= kept.shift()?.chars ?? 0;
      return own.id;
    },
    getStreamIdForEventId: async (id) => find(id)?.stream,
    async replayEventsAfter(id, { send }) {
      const last = find(id);
      if (last === undefined)
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          'What came after this event is no longer known.',
        );
      const missed = kept.slice(kept.indexOf(last) + 1).filter(({ stream }) => stream === last.stream);
      // The primer of a stream is an event without a message.
      for (const { id: next, message } of missed) if ('jsonrpc' in message) await send(next, message);
      return last.stream;
    },
  };
}
