// Sections of the conversation that were unloaded are read from the log again: those near to what is on the screen, or all of them where
// somebody looks through the whole session.
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { foldEvent } from '../../session/fold-event.ts';
import {
  callsOf,
  holdSections,
  type LookedAt,
  unloadedNear,
  unloadSections,
  withPrefix,
} from '../../session/sections.ts';
import type {
  CallModel,
  Entry,
  LogPlace,
  SessionModel,
  UnloadedEntry,
  UserEntry,
} from '../../session/session-model.ts';
import {
  announce,
  emptySession,
  useCall,
  useConnection,
  useSession,
  useSessionStore,
} from '../../session/session-store.ts';

const pageSize = 2000;
const againMs = 1000;

const loading = new WeakSet<UnloadedEntry>();

/** Loads what is near to what is on the screen, and unloads what is not. `rows` are another list when something of it has changed. */
export function useNearSections(looked: LookedAt | undefined, rows: readonly unknown[]): void {
  const isLive = useConnection() === 'live';
  const [failures, setFailures] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say that something else may be near, or that asking again helps.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { model } = useSessionStore.getState();
    if (unloadSections(model)) announce();
    const wanted = unloadedNear(model).filter((section) => !loading.has(section));
    load(model, wanted).catch(() => {
      timer = setTimeout(() => setFailures((count) => count + 1), againMs);
    });
    return () => clearTimeout(timer);
  }, [looked?.from, looked?.to, rows, isLive, failures]);
}

/** The whole session while it is wanted. Returns whether all of it is there. */
export function useWholeSession(): boolean {
  const session = useSession(({ id }) => id);
  const isWhole = useSession(({ entries }) => !entries.some(({ kind }) => kind === 'unloaded'));
  const isLive = useConnection() === 'live';
  useEffect(() => {
    const stop = holdSections();
    return () => release(stop);
  }, []);
  // A line that is cut meanwhile: it is asked for again when the session is live again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it says.
  useEffect(() => {
    loadAll().catch(() => undefined);
  }, [session, isWhole, isLive]);
  return isWhole;
}

/** A call that is looked at, wherever it stands in the session. */
export function useOlderCall(id: string): CallModel | undefined {
  const call = useCall(id);
  const isMissing = call === undefined;
  const isLive = useConnection() === 'live';
  useEffect(() => holdSections(id), [id]);
  useEffect(() => {
    if (!isMissing || !isLive) return;
    holdWholeSession().then(
      (stop) => stop(),
      () => undefined,
    );
  }, [isMissing, isLive]);
  return call;
}

/** A message where it stands in the log, whether its section is loaded or not. */
export async function readSentMessage({ session, seq }: LogPlace): Promise<UserEntry | undefined> {
  const model = { ...emptySession(session), lastSeq: seq - 1 };
  const { events } = await api.sessions.log(session, { since: seq - 1, limit: 1 });
  for (const event of events) foldEvent(model, event);
  return model.entries.find((entry) => entry.kind === 'user');
}

/** All of the session is loaded, until the returned function is called. */
export async function holdWholeSession(): Promise<() => void> {
  const stop = holdSections();
  try {
    await loadAll();
    return () => release(stop);
  } catch (error) {
    release(stop);
    throw error;
  }
}

function release(stop: () => void): void {
  stop();
  if (unloadSections(useSessionStore.getState().model)) announce();
}

async function loadAll(): Promise<void> {
  const { model } = useSessionStore.getState();
  await load(
    model,
    model.entries.filter((entry) => entry.kind === 'unloaded'),
  );
}

/** Sections that follow one another are read in one go. */
async function load(model: SessionModel, wanted: readonly UnloadedEntry[]): Promise<void> {
  if (wanted.length === 0) return;
  const loaded = new Map<Entry, Entry[]>();
  const calls: CallModel[] = [];
  for (const section of wanted) loading.add(section);
  try {
    for (const run of runsOf(model.entries, new Set<Entry>(wanted)))
      for (const [section, entries, found] of await readRun(run)) {
        loaded.set(section, entries);
        calls.push(...callsOf(entries, found));
      }
  } finally {
    for (const section of wanted) loading.delete(section);
  }
  model.entries = model.entries.flatMap((entry) => loaded.get(entry) ?? [entry]);
  for (const call of calls) if (!model.calls.has(call.id)) model.calls.set(call.id, call);
  announce();
}

function runsOf(entries: readonly Entry[], wanted: ReadonlySet<Entry>): UnloadedEntry[][] {
  const runs: UnloadedEntry[][] = [];
  let before: UnloadedEntry | undefined;
  for (const entry of entries) {
    const section = entry.kind === 'unloaded' && wanted.has(entry) ? entry : undefined;
    const isNext = section !== undefined && before?.begins.prefix === section.begins.prefix;
    if (isNext) runs.at(-1)?.push(section);
    else if (section !== undefined) runs.push([section]);
    before = section;
  }
  return runs;
}

type Loaded = [section: UnloadedEntry, entries: Entry[], calls: ReadonlyMap<string, CallModel>];

async function readRun(run: readonly UnloadedEntry[]): Promise<Loaded[]> {
  const [first] = run;
  if (first === undefined) return [];
  const { session, since, turn, profile, model: name, worktree } = first.begins;
  const until = Math.max(...run.map((section) => section.until));
  const model = { ...emptySession(session), lastSeq: since, profile, model: name, worktree };
  model.turns = { ...model.turns, count: turn === undefined ? 0 : 1, latest: turn };
  while (model.lastSeq < until) {
    const limit = Math.min(pageSize, until - model.lastSeq);
    const { events } = await api.sessions.log(session, { since: model.lastSeq, limit });
    if (events.length === 0) break;
    for (const event of events) foldEvent(model, event);
  }
  // The call of a sub-agent belongs to the call that started it, also where that one is in a section before.
  const found = model.entries.filter(
    (entry): entry is LoadedEntry =>
      entry.kind !== 'call' || model.calls.get(entry.callId)?.call.agent === undefined,
  );
  let next = 0;
  return run.map((section) => {
    const start = next;
    next += section.count;
    return [section, entriesOf(section, found.slice(start, next)), model.calls];
  });
}

type LoadedEntry = Exclude<Entry, UnloadedEntry>;

/** As they were before they were unloaded. */
function entriesOf({ begins, others }: UnloadedEntry, found: readonly LoadedEntry[]): Entry[] {
  const entries = found.map(({ begins: _, ...entry }, at): Entry => {
    const prefixed = withPrefix(entry, begins.prefix);
    return at === 0 ? { ...prefixed, begins } : prefixed;
  });
  for (const [at, entry] of others) entries.splice(at, 0, entry);
  return entries;
}
