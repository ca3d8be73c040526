// Appends of one turn of the event loop as one transaction: a commit costs more than many entries. Nobody is answered before it.
import type { DatabaseSync } from 'node:sqlite';
import {
  type AppendOptions,
  type EventBody,
  type Head,
  type SessionEvent,
  type SessionLog,
  ToolError,
} from '@codelab/protocol';
import type { BlobStore } from '@codelab/runtime';
import { noteChars } from './entry-chars.ts';
import { writeEvent } from './event-text.ts';
import { chainHash, chainStart } from './hash-chain.ts';
import { storeFault } from './open-database.ts';
import { rollBack } from './roll-back.ts';
import type { Statements } from './statements.ts';

type Wanted = { session: string; bodies: readonly EventBody[]; options: AppendOptions };
type Waiting = Wanted & { resolve(events: SessionEvent[]): void; reject(error: unknown): void };
type Text = { json: string; chars: number };
type Written = Waiting & { texts: readonly Text[] };

type Store = {
  db: DatabaseSync;
  sql: Statements;
  blobs: BlobStore;
  /** Told where the sessions stand after each transaction. */
  onCommit(heads: ReadonlyMap<string, number>): void;
};

export type Appends = {
  append: SessionLog['append'];
  /** Writes what waits, at once. */
  flush(): void;
};

export function groupAppends(store: Store): Appends {
  let waiting: Waiting[] = [];
  function flush(): void {
    const group = waiting;
    waiting = [];
    if (group.length === 0) return;
    if (store.db.isOpen) writeGroup(store, withTexts(store, group));
    else for (const one of group) one.reject(closed());
  }
  return {
    append: (session, bodies, options) =>
      new Promise((resolve, reject) => {
        // After all that has arrived, at whichever line, has been looked at.
        if (waiting.push({ session, bodies, options, resolve, reject }) === 1) setImmediate(flush);
      }),
    flush,
  };
}

// Whoever had not finished when the log was closed: it is told so, and the process goes on to its end.
function closed(): ToolError {
  return new ToolError('IO_ERROR', 'The session log is closed: CodeLab is ending. Nothing was recorded.');
}

// Long texts are kept before the entry that refers to them: a crash in between leaves one nobody refers to.
function withTexts({ blobs }: Store, group: readonly Waiting[]): Written[] {
  return group.flatMap((one) => {
    const { durable = false } = one.options;
    try {
      return [
        { ...one, texts: one.bodies.map((body) => textOf(body, (text) => blobs.put(text, { durable }))) },
      ];
    } catch (error) {
      one.reject(storeFault(error));
      return [];
    }
  });
}

function textOf(body: EventBody, put: (text: string) => string): Text {
  let kept = 0;
  const json = writeEvent(body, (text) => {
    kept += text.length;
    return put(text);
  });
  return { json, chars: json.length + kept };
}

function writeGroup(store: Store, group: readonly Written[]): void {
  const { db, sql } = store;
  const isDurable = group.some(({ options }) => options.durable);
  let hasBegun = false;
  try {
    if (isDurable) sql.full.run();
    sql.begin.run();
    hasBegun = true;
    const results = group.map((one) => insert(sql, one));
    sql.commit.run();
    answer(store, group, results);
  } catch (error) {
    rollBack(db);
    // One that can't be written does not take the others along.
    if (hasBegun && group.length > 1) for (const one of group) writeGroup(store, [one]);
    else for (const one of group) one.reject(storeFault(error));
  } finally {
    if (isDurable) sql.normal.run();
  }
}

function answer({ onCommit }: Store, group: readonly Written[], results: readonly Result[]): void {
  const heads = new Map<string, number>();
  for (const result of results) {
    const last = result instanceof ToolError ? undefined : result.at(-1);
    if (last !== undefined) heads.set(last.session, last.seq);
  }
  if (heads.size > 0) onCommit(heads);
  for (const [i, one] of group.entries()) {
    const result = results[i] ?? [];
    if (result instanceof ToolError) one.reject(result);
    else one.resolve(result);
  }
}

type Result = SessionEvent[] | ToolError;

/** A refusal is returned, not thrown: it concerns this one alone, and nothing of it was written. */
function insert(sql: Statements, { session, bodies, texts, options: { expected } }: Written): Result {
  const head = (sql.head.get(session) as Head | undefined) ?? { seq: 0, hash: chainStart };
  if (head.seq !== expected)
    return new ToolError('LOG_CONFLICT', `The log of ${session} is at ${head.seq}, not at ${expected}.`);
  const time = Date.now();
  let { seq, hash } = head;
  const events = bodies.map((body, i): SessionEvent => {
    const { json, chars } = texts[i] ?? { json: '', chars: 0 };
    seq++;
    hash = chainHash(hash, { session, seq, time, json });
    sql.event.run(session, seq, time, json, hash);
    if (body.type === 'call.started') sql.start.run(session, body.callId);
    if (body.type === 'call.finished') sql.finish.run(session, body.callId);
    const event = { session, seq, time, hash, body };
    noteChars(event, chars);
    return event;
  });
  const [first] = bodies;
  const workspace = first?.type === 'session.opened' ? first.workspace : '';
  if (expected === 0) sql.open.run(session, seq, hash, time, time, workspace);
  else sql.advance.run(seq, hash, time, session);
  return events;
}
