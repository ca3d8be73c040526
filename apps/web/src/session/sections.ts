// The conversation in sections of some entries each. Older sections are unloaded while nobody looks at them, and the log has them; so a page that
// stays open does not grow with the steps of an agent.
import type { SessionEvent } from '@codelab/protocol';
import type { CallModel, Entry, SectionStart, SessionModel, UnloadedEntry } from './session-model.ts';

const leastEntries = 80;
/** Calls that follow one another may be one row, which is divided only when it is so long. */
const mostEntries = 240;
/** So many of the latest sections stay, and so many beside those that are looked at. */
const keptAtEnd = 3;
const keptBeside = 2;

/** What holds before an event, in case a section begins with it. */
export function sectionStart(model: SessionModel, { seq }: SessionEvent): SectionStart {
  const { id: session, profile, model: name, worktree, turns } = model;
  return { session, since: seq - 1, turn: turns.latest, profile, model: name, worktree, prefix: '' };
}

/** Marks the entry at `at`, which was just added, where a section begins with it. */
export function beginSection(model: SessionModel, at: number, start: SectionStart): void {
  const { entries } = model;
  const entry = entries[at];
  const last = entries.findLastIndex(({ begins }) => begins !== undefined);
  const size = at - last;
  const isWithin = last >= 0 && entries[last]?.begins?.session === start.session && size < mostEntries;
  const isRun = entry?.kind === 'call' && entries[at - 1]?.kind === 'call';
  if (entry !== undefined && !(isWithin && (size < leastEntries || isRun)))
    entries[at] = { ...entry, begins: start };
}

/** What somebody looks at or is led to: the first and the last row, by the keys of their entries. */
export type LookedAt = { from: string; to: string };
type Reader = {
  lookedAt(model: SessionModel): LookedAt | undefined;
  /** How high the rows of these entries are, which are about to go. */
  heights?(entries: readonly Entry[]): readonly number[] | undefined;
};

const readers = new Set<Reader>();
const heldCalls = new Map<string, number>();
let holds = 0;

/** Returns how to stop. */
export function registerReader(reader: Reader): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Nothing is unloaded until the returned function is called; with `call`, not the section of that call. */
export function holdSections(call?: string): () => void {
  const count = (by: number): void => {
    if (call === undefined) holds += by;
    else heldCalls.set(call, (heldCalls.get(call) ?? 0) + by);
  };
  count(1);
  return () => count(-1);
}

type Section = { start: number; end: number };

function sectionsOf(entries: readonly Entry[]): Section[] {
  const starts = entries.flatMap(({ begins }, at) => (begins === undefined ? [] : [at]));
  return starts.map((start, at) => ({ start, end: starts[at + 1] ?? entries.length }));
}

/** Whether a section, by its index, is looked at or so many beside one that is. */
function nearness(
  model: SessionModel,
  sections: readonly Section[],
  beside: number,
): (at: number) => boolean {
  const sectionOf = (key: string): number => {
    const at = model.entries.findIndex((entry) => entry.key === key);
    return at < 0 ? -1 : sections.findIndex(({ end }) => at < end);
  };
  const ranges = [...readers].flatMap(({ lookedAt }) => {
    const looked = lookedAt(model);
    if (looked === undefined) return [];
    const [first, last] = [sectionOf(looked.from), sectionOf(looked.to)];
    return first < 0 || last < 0 ? [] : [{ first: first - beside, last: last + beside }];
  });
  return (at) => ranges.some(({ first, last }) => at >= first && at <= last);
}

/** Those that must be loaded, because somebody looks at them or is about to. */
export function unloadedNear(model: SessionModel): UnloadedEntry[] {
  const sections = sectionsOf(model.entries);
  const isNear = nearness(model, sections, 1);
  return sections.flatMap(({ start }, at) => {
    const entry = model.entries[start];
    return entry?.kind === 'unloaded' && isNear(at) ? [entry] : [];
  });
}

/** Unloads older sections that nobody looks at. Returns whether there were some. */
export function unloadSections(model: SessionModel): boolean {
  if (holds > 0) return false;
  const { entries } = model;
  const sections = sectionsOf(entries);
  if (sections.length <= keptAtEnd) return false;
  const isNear = nearness(model, sections, keptBeside);
  const next = entries.slice(0, sections[0]?.start);
  for (const [at, { start, end }] of sections.entries()) {
    const isKept = at >= sections.length - keptAtEnd || isNear(at);
    const section = entries.slice(start, end);
    const unloaded = isKept ? undefined : unload(model, section, entries[end]);
    if (unloaded === undefined) next.push(...section);
    else next.push(unloaded);
  }
  if (next.length === entries.length && next.every((entry, at) => entry === entries[at])) return false;
  model.entries = next;
  return true;
}

/** Undefined where it is unloaded already, and where a call goes on or is looked at. */
function unload(
  model: SessionModel,
  section: readonly Entry[],
  next: Entry | undefined,
): UnloadedEntry | undefined {
  const [head] = section;
  if (head?.begins === undefined || head.kind === 'unloaded' || next?.begins === undefined) return undefined;
  const calls = callsOf(section, model.calls);
  if (!calls.every(({ id, outcome }) => outcome !== undefined && !heldCalls.get(id))) return undefined;
  // The call of a sub-agent without the call that started it would not be found again.
  if (section.some((entry) => entry.kind === 'call' && model.calls.get(entry.callId)?.call.agent))
    return undefined;
  const measured = [...readers].map(({ heights }) => heights?.(section));
  const heights = measured.find((found) => found !== undefined) ?? head.begins.heights;
  const end = next.kind === 'forked' ? next.from.seq : next.begins.since;
  const others = section.flatMap((entry, at) => (isLogged(entry) ? [] : [[at, entry] as const]));
  for (const { id } of calls) {
    model.calls.delete(id);
    model.states.delete(id);
  }
  return {
    kind: 'unloaded',
    key: head.key,
    begins: { ...head.begins, ...(heights && { heights }) },
    until: calls.reduce((until, { endSeq = 0 }) => Math.max(until, endSeq), end),
    count: section.length - others.length,
    others,
  };
}

function isLogged({ kind }: Entry): boolean {
  return kind !== 'switched' && kind !== 'notice';
}

/** As entries of a session that begins with those of another one. */
export function withPrefix(entry: Entry, prefix: string): Entry {
  const { begins } = entry;
  const key = `${prefix}${entry.key}`;
  const start = begins && { begins: { ...begins, prefix: `${prefix}${begins.prefix}` } };
  if (entry.kind !== 'forked' || entry.after === undefined) return { ...entry, key, ...start };
  return { ...entry, key, ...start, after: `${prefix}${entry.after}` };
}

/** The calls of these entries, with those of the sub-agents that they started. */
export function callsOf(
  entries: readonly { kind: string; callId?: string }[],
  known: ReadonlyMap<string, CallModel>,
): CallModel[] {
  return entries.flatMap(({ callId = '' }) => {
    const call = known.get(callId);
    return call === undefined ? [] : [call, ...callsOf(call.inner, known)];
  });
}
