// The history of each file that the agent changed, over all calls of a workspace in order: where it came from, where it is, and when
// something else changed it in between. Only states are followed here; contents are read later where they are needed.
import type { Effect, FileState } from '@codelab/protocol';
import { isSameState } from '../undo/present-state.ts';

/** A call that changed files. `isOwn`: the effect is part of the review; all others are changes from outside. */
export type TracedCall = {
  callId: string;
  effects: readonly { effect: Effect; isOwn: boolean }[];
  /** An undo or redo: a file returns to a state that it had before. */
  takesBack: boolean;
  /** Whether it is listed among the calls that changed a file; a person's undo is not. */
  isNamed: boolean;
};

/** A change from outside, between two calls. */
type OtherChange = { before: FileState | null; after: FileState | null };

export type TracedFile = {
  /** The state and path before the first reviewed call. */
  origin: { path: string; state: FileState | null; trashId?: string; isOnlyCopy?: boolean };
  path: string;
  /** The state in which the last call left the file. */
  state: FileState | null;
  others: OtherChange[];
  calls: string[];
  isUncertain: boolean;
  /** A command renamed it out of a place that undo does not cover. */
  isOnlyCopy?: boolean;
  /** A folder that was deleted with its content and then created again. */
  isRemade: boolean;
};

type FileTrace = TracedFile & {
  /** The outside changes before each state of the file. */
  past: Map<string, OtherChange[]>;
  /** The call that made it, or deleted it, and the file it made or deleted. */
  made?: { by: string; state: FileState };
  deleted?: { by: string; state: FileState };
};

type Files = Map<string, FileTrace>;

/** `calls` oldest first. */
export function traceFiles(calls: Iterable<TracedCall>): TracedFile[] {
  const files: Files = new Map();
  for (const call of calls)
    for (const { effect, isOwn } of call.effects) {
      if (isOwn) followOwn(files, effect, call);
      else followOther(files, effect, call);
    }
  joinRenames(files);
  return separateRenames(files).filter((file) => !isWithinDeleted(file, files));
}

function followOwn(files: Files, effect: Effect, call: TracedCall): void {
  if (effect.op === 'move' && effect.from !== undefined) {
    followMove(files, effect as Move, call);
    return;
  }
  const { path, before, after, trashId } = effect;
  note(fileAt(files, path, before, trashId), effect, call, { before, after });
}

function fileAt(files: Files, path: string, before: FileState | null, trashId?: string): FileTrace {
  const fileTrace = files.get(path);
  if (fileTrace !== undefined) return fileTrace;
  const origin = { path, state: before, ...(trashId !== undefined && { trashId }) };
  const fields = { path, state: before, others: [], calls: [], isUncertain: false, isRemade: false };
  const trace: FileTrace = { origin, ...fields, past: new Map([[keyOf(before), []]]) };
  files.set(path, trace);
  return trace;
}

/** The file goes from one state to another by a call that is reviewed. */
function note(file: FileTrace, effect: Effect, call: TracedCall, { before, after }: OtherChange): void {
  noteFoundState(file, before);
  file.state = after;
  if (before === null && after !== null) file.made = { by: call.callId, state: after };
  if (before !== null && after === null) file.deleted = { by: call.callId, state: before };
  if (call.takesBack) file.others = file.past.get(keyOf(after)) ?? file.others;
  file.past.set(keyOf(after), file.others);
  if (effect.uncertain) file.isUncertain = true;
  file.isOnlyCopy = after !== null && (effect.oldName === null || file.isOnlyCopy === true);
  if (call.isNamed && file.calls.at(-1) !== call.callId) file.calls.push(call.callId);
  if (file.origin.state?.type !== 'directory') return;
  if (effect.op !== 'delete') file.isRemade = file.origin.trashId !== undefined && effect.op === 'mkdir';
  else {
    // A folder that was restored and deleted again has a new item in the quarantine; a new folder at its place needs none.
    if (!file.isRemade) {
      const { path, state } = file.origin;
      file.origin = { path, state, ...(effect.trashId && { trashId: effect.trashId }) };
    }
    file.isRemade = false;
  }
}

/** Records a change from outside when a call finds the file in another state than the last call left it in. */
function noteFoundState(file: FileTrace, state: FileState | null): void {
  if (isSameState(state, file.state)) return;
  file.others = [...file.others, { before: file.state, after: state }];
  file.state = state;
  file.past.set(keyOf(state), file.others);
}

type Move = Effect & { from: string };

function followMove(files: Files, effect: Move, call: TracedCall): void {
  const { path, from, before, after, trashId } = effect;
  const source = fileAt(files, from, after);
  const replaced = files.get(path);
  // A file that was created and removed within the review is not part of it.
  if (replaced?.origin.state === null && replaced.state === null) files.delete(path);
  if (files.has(path) || before !== null) {
    // A move onto an existing file is a change of that file and a deletion of the moved one.
    note(fileAt(files, path, before, trashId), effect, call, { before, after });
    note(source, effect, call, { before: after, after: null });
    return;
  }
  note(source, effect, call, { before: after, after });
  files.delete(from);
  source.path = path;
  files.set(path, source);
  if (after?.type === 'directory') moveWithin(files, from, path);
}

// Files in a moved folder get their new paths without a rename of their own.
function moveWithin(files: Files, from: string, to: string): void {
  for (const [path, file] of [...files]) {
    if (!path.startsWith(`${from}/`)) continue;
    files.delete(path);
    file.path = `${to}${path.slice(from.length)}`;
    if (file.origin.path.startsWith(`${from}/`))
      file.origin = { ...file.origin, path: `${to}${file.origin.path.slice(from.length)}` };
    files.set(file.path, file);
  }
}

function followOther(files: Files, effect: Effect, { takesBack }: TracedCall): void {
  const { op, path, from, before, after } = effect;
  if (op === 'move' && from !== undefined) {
    const source = files.get(from);
    if (source !== undefined) noteFoundState(source, null);
    const target = files.get(path);
    if (target !== undefined) noteFoundState(target, after);
    return;
  }
  const file = files.get(path);
  if (file === undefined) return;
  noteFoundState(file, before);
  const past = takesBack ? file.past.get(keyOf(after)) : undefined;
  if (past === undefined) noteFoundState(file, after);
  else Object.assign(file, { state: after, others: past });
}

/** A command that moves a file leaves a deletion and a creation. When exactly one of each matches, they count as a move. */
function joinRenames(files: Files): void {
  const keyOfMove = ({ by, state }: { by: string; state: FileState }): string | undefined =>
    state.type === 'file' && state.digest !== undefined && state.size > 0
      ? `${by} ${keyOf(state)}`
      : undefined;
  const traces = [...files.values()];
  const deletedByMove = Map.groupBy(traces, ({ state, deleted }) =>
    state === null && deleted ? keyOfMove(deleted) : undefined,
  );
  const come = Map.groupBy(traces, ({ origin, state, made }) =>
    origin.state === null && state !== null && made ? keyOfMove(made) : undefined,
  );
  for (const [key, [to, ...more]] of come) {
    const [from, ...others] = (key !== undefined && deletedByMove.get(key)) || [];
    if (from === undefined || to === undefined || more.length > 0 || others.length > 0) continue;
    to.origin = from.origin.state === null ? to.origin : from.origin;
    to.others = [...from.others, ...to.others];
    to.calls = [...new Set([...from.calls, ...to.calls])];
    files.delete(from.path);
  }
}

/** When another file is now at the old path of a moved file, the review shows no rename: the old path is changed, the new path is new. */
function separateRenames(files: Files): TracedFile[] {
  const isRenamed = ({ origin, path }: FileTrace): boolean => origin.path !== path && origin.state !== null;
  const isTaken = ({ origin }: FileTrace): boolean => (files.get(origin.path)?.state ?? null) !== null;
  // A file that becomes new releases its old path, which may be the origin of another file.
  for (let found: FileTrace | undefined; ; ) {
    found = [...files.values()].find((file) => isRenamed(file) && isTaken(file));
    if (found === undefined) return [...files.values()];
    let { origin } = found;
    found.origin = { path: found.path, state: null };
    for (let at = files.get(origin.path); at !== undefined; at = files.get(origin.path)) {
      const next = at.origin;
      at.origin = origin;
      if (next.state === null || next.path === origin.path) break;
      origin = next;
      if (!files.has(origin.path)) files.set(origin.path, deletedFile(origin, at.calls));
    }
  }
}

function deletedFile(origin: TracedFile['origin'], calls: readonly string[]): FileTrace {
  const { path } = origin;
  const rest = { others: [], isUncertain: false, isRemade: false, past: new Map() };
  return { origin: { path, state: null }, path, state: null, calls: [...calls], ...rest };
}

// A folder that was deleted comes back as a whole, with everything in it as it was.
function isWithinDeleted({ path }: TracedFile, files: Files): boolean {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const above = files.get(path.slice(0, end));
    if (
      above?.state === null &&
      above.origin.state?.type === 'directory' &&
      above.origin.trashId !== undefined
    )
      return true;
  }
  return false;
}

function keyOf(state: FileState | null): string {
  return state === null ? '' : [state.type, state.digest ?? state.size, state.mode].join();
}
