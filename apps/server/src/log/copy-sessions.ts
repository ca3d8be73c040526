// Copies sessions from one log to another with their proof: each entry keeps its number, time and hash. The chain is verified before
// anything is written, and again after. A repeated copy continues where the last one stopped.
import { hash } from 'node:crypto';
import { type SessionEvent, type SessionLog, type SessionSummary, ToolError } from '@codelab/protocol';
import { chainHash, chainStart, logPages, writeEvent } from './entries.ts';

export type CopyResult = {
  /** Sessions that have got entries, and how many. */
  copied: number;
  entries: number;
  /** Sessions that were there already, as a whole. */
  present: number;
  failed: { session: string; problem: string }[];
};

type Options = {
  sessions: readonly SessionSummary[];
  signal: AbortSignal;
  /** Called after every page. `done`: sessions that are finished. */
  onProgress?(progress: CopyResult & { done: number }): void;
};

type Logs = { from: SessionLog; to: SessionLog };
type Copied = { entries: number };

/** A server handles many requests concurrently; more would only wait. */
const atOnce = 8;

export async function copySessions(
  logs: Logs,
  { sessions, signal, onProgress }: Options,
): Promise<CopyResult> {
  const inTarget = new Map((await logs.to.sessions()).map((session) => [session.id, session]));
  const running = await runningIn(logs.from, sessions);
  const result: CopyResult & { done: number } = { copied: 0, entries: 0, present: 0, failed: [], done: 0 };
  const remaining = [...sessions];

  async function work(): Promise<void> {
    for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) {
      signal.throwIfAborted();
      const { id: session } = next;
      try {
        if (running.has(session)) throw stillRunning();
        const onPage = (entries: number): void => {
          result.entries += entries;
          onProgress?.(result);
        };
        const { entries } = await copySession(logs, next, {
          inTarget: inTarget.get(session),
          signal,
          onPage,
        });
        if (entries > 0) result.copied++;
        else result.present++;
      } catch (error) {
        if (!(error instanceof ToolError) || error.details?.unreachable === true) throw error;
        result.failed.push({ session, problem: error.message });
      }
      result.done++;
      onProgress?.(result);
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work));
  const { done: _, ...summary } = result;
  return summary;
}

type SessionOptions = {
  inTarget: SessionSummary | undefined;
  signal: AbortSignal;
  onPage(entries: number): void;
};

async function copySession(
  { from, to }: Logs,
  source: SessionSummary,
  { inTarget, signal, onPage }: SessionOptions,
): Promise<Copied> {
  const { id, head } = source;
  const start = inTarget?.head ?? { seq: 0, hash: chainStart };
  await checkSame({ from, to }, id, { source: head, target: start });
  let { seq, hash: last } = start;
  for await (const page of logPages(from, id, seq)) {
    signal.throwIfAborted();
    checkChain(id, last, page);
    for (const group of sameTime(page)) {
      const bodies = group.map(({ body }) => body);
      const time = group[0]?.time ?? 0;
      const durable = group.at(-1) === page.at(-1);
      const written = await to.append(id, bodies, { expected: seq, time, durable });
      ({ seq, hash: last } = written.at(-1) ?? { seq, hash: last });
      if (last !== group.at(-1)?.hash) throw differs(seq);
    }
    onPage(page.length);
  }
  if (seq === start.seq) return { entries: 0 };
  const damage = await to.prove(id, signal);
  if (damage !== undefined) throw new ToolError('LOG_DAMAGED', `The copy is broken: ${damage.problem}`);
  return { entries: seq - start.seq };
}

type Heads = { source: SessionSummary['head']; target: SessionSummary['head'] };

/** The entries that both logs have must be equal, whichever has more. */
async function checkSame({ from, to }: Logs, session: string, { source, target }: Heads): Promise<void> {
  if (target.seq === 0) return;
  const seq = Math.min(source.seq, target.seq);
  const [longer, hash] = source.seq >= target.seq ? [from, target.hash] : [to, source.hash];
  const [entry] = await longer.read(session, { since: seq - 1, limit: 1 });
  if (entry?.hash !== hash) throw differs(seq);
}

/** Called before anything is written: entries that can't be verified are not copied. */
function checkChain(session: string, before: string, page: readonly SessionEvent[]): void {
  let last = before;
  for (const { seq, time, body, hash: recordedHash } of page) {
    const json = writeEvent(body, (text) => hash('sha256', text, 'hex'));
    last = chainHash(last, { session, seq, time, json });
    if (last !== recordedHash)
      throw new ToolError(
        'LOG_DAMAGED',
        `Entry ${seq} was changed: its hash does not fit. Nothing from it on was copied.`,
      );
  }
}

/** Entries that may have been one append; a message of NATS has one time. */
function* sameTime(page: readonly SessionEvent[]): Generator<SessionEvent[]> {
  for (let start = 0, end = 0; start < page.length; start = end) {
    while (end < page.length && page[end]?.time === page[start]?.time) end++;
    yield page.slice(start, end);
  }
}

async function runningIn(log: SessionLog, sessions: readonly SessionSummary[]): Promise<Set<string>> {
  const workspaces = new Set(sessions.map(({ workspace }) => workspace));
  const found = await Promise.all([...workspaces].map((workspace) => log.unfinished(workspace)));
  return new Set(found.flat().map(({ session }) => session));
}

function stillRunning(): ToolError {
  return new ToolError(
    'STALE',
    'One of its calls is still running. Stop its process, or end the call with `codelab sessions settle`, then copy again.',
  );
}

function differs(seq: number): ToolError {
  return new ToolError(
    'LOG_CONFLICT',
    `Both logs have a session with this id, and they differ from entry ${seq} on: it was continued in both. It was not copied.`,
  );
}
