// Finds the session of a call or an approval, for addresses that name only one of them.
import { type ToolCall, ToolError } from '@codelab/protocol';
import type { Gateway, Peer, SharedSession } from '../../sessions/gateway.ts';
import { type CallEntry, foldCalls } from './call-record.ts';

export type CallOfSession = { session: SharedSession; entry: CallEntry };

export type CallFinder = {
  /** Notes a new call; until it has ended, readers find it here and not in the log. `isUnique`: its id was made here. */
  begin(call: ToolCall, by: Peer, options: { isUnique: boolean; ended: Promise<unknown> }): void;
  /** `id` is a call's or an approval's; `session` is its session, if known. */
  find(id: string, by: Peer, session?: string): Promise<CallOfSession>;
};

const maxRemembered = 10_000;
// A call is searched for in the sessions used last.
const maxSearched = 50;

export function createCallFinder(gateway: Gateway): CallFinder {
  const sessionsById = new Map<string, string>();
  const begunCalls = new Map<string, CallEntry>();

  function remember(id: string, by: Peer, session: string): void {
    const key = keyOf(by.subject, id);
    sessionsById.delete(key);
    sessionsById.set(key, session);
    if (sessionsById.size > maxRemembered) sessionsById.delete(sessionsById.keys().next().value ?? '');
  }

  async function lookIn(session: string, id: string): Promise<CallEntry | undefined> {
    const events = await gateway.host.log.read(session);
    return entryOf(id, foldCalls(events)) ?? begunCalls.get(keyOf(session, id));
  }

  // Models number their calls, so two chats may use the same id: then the caller must name the chat.
  async function search(id: string, by: Peer): Promise<string> {
    const lately = (await gateway.sessions(by)).sort((a, b) => b.lastAt - a.lastAt).slice(0, maxSearched);
    const found: string[] = [];
    for (const session of lately) if ((await lookIn(session.id, id)) !== undefined) found.push(session.id);
    const [session, ...others] = found;
    if (session === undefined) throw unknown(id);
    if (others.length > 0)
      throw new ToolError('INVALID_ARGUMENTS', 'Several chats have a call of this id: say `session_id`.', {
        field: 'session_id',
      });
    return session;
  }

  return {
    begin(call, by, { isUnique, ended }) {
      const key = keyOf(call.session, call.id);
      const state = { state: 'received' as const, call };
      if (isUnique) remember(call.id, by, call.session);
      begunCalls.set(key, { state, createdAt: Date.now(), completedAt: undefined, approvalId: undefined });
      void ended.finally(() => begunCalls.delete(key)).catch(() => undefined);
    },
    async find(id, by, givenSession) {
      const sessionId = givenSession ?? sessionsById.get(keyOf(by.subject, id)) ?? (await search(id, by));
      const session = await gateway.session(sessionId, by, { mustExist: true });
      const entry = await lookIn(sessionId, id);
      if (entry === undefined) throw unknown(id);
      if (entry.approvalId === id) remember(id, by, sessionId);
      return { session, entry };
    },
  };
}

function entryOf(id: string, calls: ReadonlyMap<string, CallEntry>): CallEntry | undefined {
  return calls.get(id) ?? [...calls.values()].find((entry) => entry.approvalId === id);
}

function keyOf(session: string, id: string): string {
  return JSON.stringify([session, id]);
}

function unknown(id: string): ToolError {
  return new ToolError('APPROVAL_NOT_FOUND', `There is no call and no approval ${id.slice(0, 100)} here.`);
}
