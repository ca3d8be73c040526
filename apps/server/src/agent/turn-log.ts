// The session's log as its agent uses it, and the lock that lets one turn at a time write to it. A forked session begins with entries of
// its origin; its own entries are numbered after those, so that a summary from before the fork is not applied to later entries.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PartialReply, TurnLog } from '@codelab/agent';
import { type Actor, type Owner, type SessionEvent, type SessionLog, ToolError } from '@codelab/protocol';
import { ensureFolder, type Host, isAlive, randomId, sha256 } from '@codelab/runtime';

/** `events` are the entries of the log so far. */
export async function openTurnLog(
  host: Host,
  session: string,
): Promise<{ log: TurnLog; events: SessionEvent[] }> {
  const events = await readWithOrigin(host.log, session, Number.MAX_SAFE_INTEGER);
  const offset = events.findLast((event) => event.session !== session)?.seq ?? 0;
  let last = (events.at(-1)?.seq ?? 0) - offset;
  const noteAppended = (appended: readonly SessionEvent[]): SessionEvent[] => {
    last = Math.max(last, appended.at(-1)?.seq ?? 0);
    return shifted(appended, offset);
  };
  const log: TurnLog = {
    session,
    async record(bodies) {
      const live = await host.session(session);
      return noteAppended(await live.commit(() => [...bodies]));
    },
    async recordIf(build) {
      const live = await host.session(session);
      return noteAppended(await live.commit(build));
    },
    read: () => readWithOrigin(host.log, session, Number.MAX_SAFE_INTEGER),
    news: async () => noteAppended(await host.log.read(session, { since: last })),
    hold: () => holdTurn(host, session),
    partial: openPartialReply(host.home, session),
  };
  return { log, events };
}

async function readWithOrigin(log: SessionLog, session: string, lastSeq: number): Promise<SessionEvent[]> {
  const ownEvents = (await log.read(session)).filter(({ seq }) => seq <= lastSeq);
  const [first] = ownEvents;
  if (first?.body.type !== 'session.opened' || first.body.forkedFrom === undefined) return ownEvents;
  const { session: origin, seq } = first.body.forkedFrom;
  const before = await readWithOrigin(log, origin, seq);
  return [...before, ...shifted(ownEvents, before.at(-1)?.seq ?? 0)];
}

function shifted(events: readonly SessionEvent[], offset: number): SessionEvent[] {
  return events.map((event) => (offset === 0 ? event : { ...event, seq: event.seq + offset }));
}

/** A person's action beside the conversation, as a turn without a reply: the model reads it before the next message. */
export type Note = { text: string; by: Actor };

/**
 * Records nothing while a turn is open, because the note would become part of it, nor in a session without a turn, unless `role` names the
 * next one.
 */
export async function addNote(
  host: Host,
  session: string,
  { text, by }: Note,
  role?: { model: string; profile: string },
): Promise<void> {
  const { log, events } = await openTurnLog(host, session);
  const ownTurns = events.flatMap(({ body }) =>
    (body.type === 'turn.started' || body.type === 'turn.ended') && body.agent === undefined ? [body] : [],
  );
  const last = ownTurns.findLast((body) => body.type === 'turn.started');
  const { model, profile } = role ?? last ?? {};
  if (model === undefined || profile === undefined || ownTurns.at(-1)?.type === 'turn.started') return;
  const turn = (last?.turn ?? 0) + 1;
  try {
    using _held = await log.hold();
    await log.record([
      { type: 'turn.started', turn, text, model, profile, by },
      { type: 'turn.ended', turn, end: 'completed' },
    ]);
  } catch (error) {
    // A turn began meanwhile.
    if (!(error instanceof ToolError && error.code === 'STALE')) throw error;
  }
}

type Holder = { owner: Owner; id: string };

async function holdTurn(host: Host, session: string): Promise<Disposable> {
  const { home, lock, closing } = host;
  const file = fileOf(home, session);
  const holder: Holder = { owner: host.owner(), id: randomId() };
  await lock.hold(() => {
    refuseDuringTurn(home, session, host.isAlive);
    ensureFolder(dirname(file));
    writeFileSync(file, JSON.stringify(holder), { mode: 0o600 });
  });
  const release = (): void => {
    closing.removeEventListener('abort', release);
    if (holderIn(file)?.id === holder.id) rmSync(file, { force: true });
  };
  // A host that closes carries out nothing more.
  closing.addEventListener('abort', release);
  return { [Symbol.dispose]: release };
}

/** Refuses while a process runs a turn of the session. */
export function refuseDuringTurn(home: string, session: string, isOwnerAlive?: Host['isAlive']): void {
  const holder = liveHolder(home, session, isOwnerAlive);
  if (holder === undefined) return;
  throw new ToolError(
    'STALE',
    `Another turn of this session is running in process ${holder.owner.pid}. Wait until it ends, or use another session.`,
  );
}

/** Whether any process is running a turn of the session. */
export function isTurnHeld(
  { home, isAlive: isOwnerAlive }: Pick<Host, 'home' | 'isAlive'>,
  session: string,
): boolean {
  return liveHolder(home, session, isOwnerAlive) !== undefined;
}

function liveHolder(
  home: string,
  session: string,
  isOwnerAlive = (owner: Owner): boolean => isAlive(owner, home),
): Holder | undefined {
  const holder = holderIn(fileOf(home, session));
  return holder !== undefined && isOwnerAlive(holder.owner) ? holder : undefined;
}

function fileOf(home: string, session: string): string {
  return join(home, 'turns', sha256(session));
}

// A lock file whose writer died before it was complete has no holder.
function holderIn(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

// The text of an unfinished reply, in a private file: a killed gateway loses none of it.
/** No reply is longer; text beyond this would be shown but not stored. */
const maxChars = 4 * 1024 * 1024;

function openPartialReply(home: string, session: string): PartialReply {
  const file = partialFile(home, session);
  let written = 0;
  return {
    add(text) {
      if (written === 0) ensureFolder(dirname(file));
      written += text.length;
      if (written <= maxChars) appendFileSync(file, text, { mode: 0o600 });
    },
    drop() {
      written = 0;
      rmSync(file, { force: true });
    },
    unfinishedText() {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return '';
      }
    },
  };
}

/** Deletes the text when its session is deleted. */
export function forgetPartialReply(home: string, session: string): void {
  rmSync(partialFile(home, session), { force: true });
}

function partialFile(home: string, session: string): string {
  return join(home, 'partial-replies', sha256(session));
}
