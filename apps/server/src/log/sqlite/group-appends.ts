// Commits the appends of one turn of the event loop as one transaction: a commit costs more than many entries. No append resolves before
// it.
import type { DatabaseSync } from 'node:sqlite';
import {
  type AppendOptions,
  type EventBody,
  type Head,
  type SessionEvent,
  type SessionLog,
  ToolError,
} from '@codelab/protocol';
import { type BlobStore, beginInTurns } from '@codelab/runtime';
import {
  chainHash,
  chainStart,
  changesFiles,
  noteChars,
  originOf,
  workspaceOf,
  writeEvent,
} from '../entries.ts';
import type { WalSyncs } from './database.ts';
import { dropRest } from './delete-session.ts';
import { longestWaitMs, rollBack, type Statements, storeFault } from './statements.ts';

type Wanted = { session: string; bodies: readonly EventBody[]; options: AppendOptions };
type Waiting = Wanted & { resolve(events: SessionEvent[]): void; reject(error: unknown): void };
/** `kept` are the long texts that are stored separately. */
type Text = { json: string; chars: number; kept: readonly Kept[] };
type Kept = { key: string; text: string };
type Written = Waiting & { texts: readonly Text[] };

export type AppendStore = {
  db: DatabaseSync;
  file: string;
  sql: Statements;
  readonly blobs: BlobStore;
  syncs: WalSyncs;
  /** Called with the last entries of the sessions after each transaction. */
  onCommit(heads: ReadonlyMap<string, number>): void;
  /** Called with the number of characters that each transaction wrote. */
  onWritten(chars: number): void;
};

export type Appends = {
  append: SessionLog['append'];
  /** Writes all waiting appends immediately. */
  flush(): void;
};

export function groupAppends(store: AppendStore): Appends {
  const { db } = store;
  let waiting: Waiting[] = [];
  /** Their long texts are stored; the entries are not written yet. */
  let ready: Written[] = [];
  let isWriting = false;

  function makeReady(): void {
    const group = waiting;
    waiting = [];
    if (db.isOpen) ready.push(...withTexts(store, group));
    else for (const one of group) one.reject(closed());
  }

  function writeReady(sync: () => Promise<void> | void): void {
    const group = ready;
    ready = [];
    writeGroup(store, group, sync);
  }

  function giveUp(error: unknown): void {
    const group = ready;
    ready = [];
    for (const one of group) one.reject(db.isOpen ? storeFault(error, store.file) : closed());
  }

  /** While another process writes, more may come to wait: all of it goes into one transaction. */
  async function write(): Promise<void> {
    isWriting = true;
    for (makeReady(); ready.length > 0; makeReady())
      await beginInTurns(db, longestWaitMs, () => writeReady(store.syncs.aside)).catch(giveUp);
    isWriting = false;
  }

  return {
    append: (session, bodies, options) =>
      new Promise((resolve, reject) => {
        waiting.push({ session, bodies, options, resolve, reject });
        // After all that has arrived, at whichever line, has been looked at.
        if (waiting.length === 1 && !isWriting) setImmediate(() => void (isWriting || write()));
      }),
    flush() {
      makeReady();
      if (ready.length === 0) return;
      try {
        store.sql.begin.run();
        writeReady(store.syncs.now);
      } catch (error) {
        giveUp(error);
      }
    },
  };
}

// For unfinished appends when the log is closed: they fail, and the process can end.
function closed(): ToolError {
  return new ToolError('IO_ERROR', 'The session log is closed: CodeLab is ending. Nothing was recorded.');
}

// Long texts are stored before the entry that refers to them: a crash in between leaves an unreferenced text.
function withTexts(store: AppendStore, group: readonly Waiting[]): Written[] {
  const written: Written[] = [];
  for (const one of group) {
    const { session, bodies, options, resolve, reject } = one;
    const { durable = false } = options;
    try {
      const texts = bodies.map((body) => textOf(body, (text) => store.blobs.put(text, { durable })));
      written.push({ session, bodies, options, resolve, reject, texts });
    } catch (error) {
      reject(storeFault(error, store.file));
    }
  }
  return written;
}

function textOf(body: EventBody, put: (text: string) => string): Text {
  const kept: Kept[] = [];
  const json = writeEvent(body, (text) => {
    const key = put(text);
    kept.push({ key, text });
    return key;
  });
  let chars = json.length;
  for (const { text } of kept) chars += text.length;
  return { json, chars, kept };
}

/** In a begun transaction, which it ends. Durable appends resolve after `sync`. */
function writeGroup(store: AppendStore, group: readonly Written[], sync: () => Promise<void> | void): void {
  const { db, sql } = store;
  let results: Result[];
  try {
    results = group.map((one) => insert(store, one));
    sql.commit.run();
  } catch (error) {
    rollBack(db);
    // An append that can't be written does not fail the others.
    if (group.length < 2) for (const one of group) one.reject(storeFault(error, store.file));
    else for (const one of group) writeAlone(store, one, sync);
    return;
  }
  noteCommit(store, group, results);
  const isDurable = (i: number): boolean => group[i]?.options.durable === true;
  const answerThose = (wanted: (i: number) => boolean): void => {
    for (const [i, one] of group.entries()) if (wanted(i)) answer(one, results[i] ?? []);
  };
  answerThose((i) => !isDurable(i));
  if (!group.some((_, i) => isDurable(i))) return;
  const fail = (error: unknown): void => {
    for (const [i, one] of group.entries()) if (isDurable(i)) one.reject(storeFault(error, store.file));
  };
  try {
    const synced = sync();
    if (synced === undefined) answerThose(isDurable);
    else synced.then(() => answerThose(isDurable), fail);
  } catch (error) {
    fail(error);
  }
}

function writeAlone(store: AppendStore, one: Written, sync: () => Promise<void> | void): void {
  try {
    store.sql.begin.run();
  } catch (error) {
    one.reject(storeFault(error, store.file));
    return;
  }
  writeGroup(store, [one], sync);
}

function noteCommit(
  { onCommit, onWritten }: AppendStore,
  group: readonly Written[],
  results: readonly Result[],
): void {
  onWritten(group.reduce((sum, { texts }) => texts.reduce((all, { json }) => all + json.length, sum), 0));
  const heads = new Map<string, number>();
  for (const result of results) {
    const last = result instanceof ToolError ? undefined : result.at(-1);
    if (last !== undefined) heads.set(last.session, last.seq);
  }
  if (heads.size > 0) onCommit(heads);
}

function answer(one: Waiting, result: Result): void {
  if (result instanceof ToolError) one.reject(result);
  else one.resolve(result);
}

type Result = SessionEvent[] | ToolError;
type HeadRow = Head & { workspace: string };

/** A refusal is returned, not thrown: it concerns this one alone, and nothing of it was written. */
function insert(
  store: AppendStore,
  { session, bodies, texts, options: { expected, durable = false, time = Date.now() } }: Written,
): Result {
  const { sql } = store;
  const [first] = bodies;
  const head = (sql.head.get(session) as HeadRow | undefined) ?? {
    seq: 0,
    hash: chainStart,
    workspace: workspaceOf(first),
  };
  if (head.seq !== expected)
    return new ToolError('LOG_CONFLICT', `The log of ${session} is at ${head.seq}, not at ${expected}.`);
  // A deleted session of this name may have entries that are still to be removed.
  if (expected === 0 && sql.deletedFrom.get(session) !== undefined) dropRest(sql, session);
  let { seq, hash } = head;
  const events = bodies.map((body, i): SessionEvent => {
    const { json, chars, kept } = texts[i] ?? { json: '', chars: 0, kept: [] };
    seq++;
    hash = chainHash(hash, { session, seq, time, json });
    const { lastInsertRowid: at } = sql.event.run(session, seq, time, json, hash);
    for (const one of kept) refer(store, one, durable);
    if (body.type === 'call.started') sql.start.run(session, body.callId);
    if (body.type === 'call.finished') sql.finish.run(session, body.callId);
    if (changesFiles(body)) sql.change.run(head.workspace, at, session, seq);
    const event = { session, seq, time, hash, body };
    noteChars(event, chars);
    return event;
  });
  if (expected === 0) sql.open.run(session, seq, hash, time, time, head.workspace, originOf(first) ?? null);
  else sql.advance.run(seq, hash, time, session);
  return events;
}

/** Another process may have removed the text after it was stored, because nothing referred to it. From here on it can't. */
function refer({ sql, blobs }: AppendStore, { key, text }: Kept, durable: boolean): void {
  sql.use.run(key);
  if (!blobs.has(key)) blobs.put(text, { durable });
}
