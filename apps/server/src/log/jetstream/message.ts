// An append as one message: its entries as lines of text, and a header with the session's state afterwards. The last message of a session's
// subject is therefore the index of that session, and can't disagree with it.
import type { EventBody } from '@codelab/protocol';
import { chainHash, chainStart, changesFiles, originOf, type StoredEntry, workspaceOf } from '../entries.ts';

/** The state of a session. `at` is the number of the message in the stream; all else is in its header. */
export type Standing = {
  at: number;
  /** Only of this message. */
  id?: string;
  seq: number;
  hash: string;
  /** The message that deleted the session of this name before it, or 0: no two sessions of a name have the same. */
  generation: number;
  /** The number of messages of this session. */
  messages: number;
  openedAt: number;
  lastAt: number;
  workspace: string;
  forkedFrom?: string;
  /** Calls that have started and not ended. */
  running: readonly string[];
  /** The latest entry in which something was asked. */
  asked: number;
  /** Unfinished calls with an approval. Sessions that are older than this field have none. */
  waiting?: readonly string[];
  /** The first entry of this message, and which of its entries, counted from 0, end a call that changed files. */
  first: number;
  changes: readonly number[];
  /** The position of the latest such entry of an earlier message. */
  changedBefore: number;
  /** The node that may append, and the number of its ownership. */
  owner?: { node: string; epoch: number };
  /** The session was deleted with this message. */
  deleted?: { who: string; via: string; seq: number; hash: string };
};

export const standingHeader = 'Codelab-Standing';

export function emptyStanding(generation: number): Standing {
  return {
    at: generation,
    seq: 0,
    hash: chainStart,
    generation,
    messages: 0,
    openedAt: 0,
    lastAt: 0,
    workspace: '',
    running: [],
    asked: 0,
    waiting: [],
    first: 1,
    changes: [],
    changedBefore: 0,
  };
}

/** Header values are ASCII. */
export function writeStanding({ at: _, ...rest }: Standing): string {
  return JSON.stringify(rest).replace(/[\u0080-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export function readStanding(header: string, at: number): Standing {
  return { ...(JSON.parse(header) as Omit<Standing, 'at'>), at };
}

/** A position in the log: the message, and the entry in it. */
const entriesPerMessage = 2 ** 16;

export function positionOf(at: number, entry: number): number {
  return at * entriesPerMessage + Math.min(entry, entriesPerMessage - 1);
}

export function messageOf(position: number): number {
  return Math.floor(position / entriesPerMessage);
}

/** After everything in this message. */
export function positionAfter(at: number): number {
  return positionOf(at, entriesPerMessage - 1);
}

/** The position of the latest change of files, 0 when there is none. */
export function latestChange({ at, changes, changedBefore }: Standing): number {
  const last = changes.at(-1);
  return last === undefined ? changedBefore : positionOf(at, last);
}

type Link = { session: string; time: number; texts: readonly string[]; bodies: readonly EventBody[] };

/** The entries chained after a standing, and the standing after them; `at` is still that of before. */
export function chain(
  before: Standing,
  { session, time, texts, bodies }: Link,
): { entries: StoredEntry[]; after: Standing } {
  let { seq, hash } = before;
  const entries = texts.map((json): StoredEntry => {
    seq++;
    hash = chainHash(hash, { session, seq, time, json });
    return { seq, time, json, hash };
  });
  const [first] = bodies;
  const isNew = before.seq === 0;
  const origin = isNew ? originOf(first) : before.forkedFrom;
  const after: Standing = {
    ...before,
    seq,
    hash,
    messages: before.messages + 1,
    openedAt: isNew ? time : before.openedAt,
    lastAt: time,
    workspace: isNew ? workspaceOf(first) : before.workspace,
    ...(origin !== undefined && { forkedFrom: origin }),
    running: runningAfter(before.running, bodies),
    asked: askedAfter(before, bodies),
    ...(before.waiting && { waiting: waitingAfter(before.waiting, bodies) }),
    first: before.seq + 1,
    changes: bodies.flatMap((body, i) => (changesFiles(body) ? [i] : [])),
    changedBefore: latestChange(before),
  };
  return { entries, after };
}

function runningAfter(before: readonly string[], bodies: readonly EventBody[]): string[] {
  const running = new Set(before);
  for (const body of bodies) {
    if (body.type === 'call.started') running.add(body.callId);
    if (body.type === 'call.finished') running.delete(body.callId);
  }
  return [...running];
}

function waitingAfter(before: readonly string[], bodies: readonly EventBody[]): string[] {
  const waitingCalls = new Set(before);
  for (const body of bodies) {
    if (body.type === 'approval.requested') waitingCalls.add(body.callId);
    if (body.type === 'call.finished') waitingCalls.delete(body.callId);
  }
  return [...waitingCalls];
}

function askedAfter({ asked, seq }: Standing, bodies: readonly EventBody[]): number {
  const last = bodies.findLastIndex(({ type }) => type === 'approval.requested');
  return last === -1 ? asked : seq + 1 + last;
}

export function writeEntries(entries: readonly StoredEntry[]): string {
  const [first] = entries;
  const lines = entries.map(({ hash, json }) => `${hash} ${json}\n`);
  return `${first?.seq ?? 0} ${first?.time ?? 0}\n${lines.join('')}`;
}

/** Entries that differ from their written form are left to the verification of the chain. */
export function readEntries(text: string): StoredEntry[] {
  const [head = '', ...lines] = text.split('\n');
  const [first = 0, time = 0] = head.split(' ').map(Number);
  return lines.flatMap((line, i) => {
    const space = line.indexOf(' ');
    if (space === -1) return [];
    return [{ seq: first + i, time, hash: line.slice(0, space), json: line.slice(space + 1) }];
  });
}
