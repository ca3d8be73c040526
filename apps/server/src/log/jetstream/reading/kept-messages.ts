// Caches recently appended or read messages of sessions, so that a gateway does not request them again. A message never changes, so the
// cache is valid until its session is deleted.
import type { StoredEntry } from '../../entries.ts';
import type { Standing } from '../message.ts';

export type Message = { standing: Standing; entries: StoredEntry[] };

export type KeptMessages = {
  note(session: string, message: Message): void;
  /** The messages with the entries after `since`, up to this state; undefined when one of them is not cached. */
  find(session: string, head: Standing, since: number): readonly Message[] | undefined;
  forget(session: string): void;
};

/** The latest messages of one session without a gap, the oldest first. */
type Kept = { generation: number; messages: Message[]; chars: number };

const maxChars = 32 * 1024 * 1024;
const maxSessionChars = 2 * 1024 * 1024;
/** The size of a message besides its entries. */
const messageChars = 1000;

export function createKeptMessages(): KeptMessages {
  /** The one that was used longest ago comes first. */
  const sessions = new Map<string, Kept>();
  let chars = 0;

  function forget(session: string): void {
    chars -= sessions.get(session)?.chars ?? 0;
    sessions.delete(session);
  }

  return {
    forget,
    note(session, message) {
      const { generation, messages: number } = message.standing;
      const before = sessions.get(session);
      const [first, last] = before?.generation === generation ? numbersIn(before) : [0, -1];
      if (first <= number && number <= last) return;
      // With a gap, the messages in between could not be known to be complete.
      const sessionMessages = before && number === last + 1 ? before : { generation, messages: [], chars: 0 };
      forget(session);
      sessionMessages.messages.push(message);
      sessionMessages.chars += charsIn(message);
      while (sessionMessages.chars > maxSessionChars && sessionMessages.messages.length > 1)
        sessionMessages.chars -= charsIn(sessionMessages.messages.shift());
      sessions.set(session, sessionMessages);
      chars += sessionMessages.chars;
      for (const oldest of sessions.keys()) {
        if (chars <= maxChars) return;
        forget(oldest);
      }
    },
    find(session, head, since) {
      const sessionMessages = sessions.get(session);
      if (sessionMessages?.generation !== head.generation) return undefined;
      const end = sessionMessages.messages.findLastIndex(({ standing }) => standing.at === head.at);
      const start = sessionMessages.messages.findIndex(({ standing }) => standing.seq > since);
      // Entries between `since` and the oldest cached message are not here.
      const isWhole = start !== -1 && (sessionMessages.messages[start]?.standing.first ?? 0) <= since + 1;
      return end === -1 || !isWhole ? undefined : sessionMessages.messages.slice(start, end + 1);
    },
  };
}

function numbersIn({ messages }: Kept): [first: number, last: number] {
  return [messages[0]?.standing.messages ?? 0, messages.at(-1)?.standing.messages ?? -1];
}

function charsIn(message: Message | undefined): number {
  return message?.entries.reduce((sum, { json }) => sum + json.length, messageChars) ?? 0;
}
