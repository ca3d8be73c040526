// The host's state of its running calls: their progress, the commands among them, the file versions they made, and work to be done after
// they have ended.
import { type Effect, type FileState, type Plan, type ToolCall, ToolError } from '@codelab/protocol';

/** Progress of running calls, sent to current watchers. Only the outcome goes to the log. */
type Listener = (call: ToolCall, progress: Record<string, unknown>) => void;

export type Progress = {
  tell(call: ToolCall, progress: Record<string, unknown>): void;
  /** Returns how to stop watching. */
  watch(session: string, listener: Listener): () => void;
};

export function createProgress(): Progress {
  const watched = new Map<string, Set<Listener>>();
  return {
    tell(call, progress) {
      for (const listener of watched.get(call.session) ?? []) listener(call, progress);
    },
    watch(session, listener) {
      const listeners = watched.get(session) ?? new Set();
      watched.set(session, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) watched.delete(session);
      };
    },
  };
}

// How many calls of one session are open, whether they run, wait for a lane or for a human. A call beyond the bound is refused before it is
// recorded, so it costs nothing and can be made again.
export type Admissions = {
  /** Counts a call until it is disposed of. */
  enter(session: string, most: number): Disposable;
};

export function createAdmissions(): Admissions {
  const counts = new Map<string, number>();
  return {
    enter(session, most) {
      const count = counts.get(session) ?? 0;
      if (count >= most)
        throw new ToolError(
          'CONCURRENT_LIMIT_EXCEEDED',
          `${count} calls of this session are under way. Wait for some to finish, then send this one again; nothing was recorded of it.`,
          { limit: most },
        );
      counts.set(session, count + 1);
      return new Admission(counts, session);
    },
  };
}

// A class, as each call makes one: V8 defines a method with a computed name anew in each object literal.
class Admission implements Disposable {
  readonly #counts: Map<string, number>;
  readonly #session: string;

  constructor(counts: Map<string, number>, session: string) {
    this.#counts = counts;
    this.#session = session;
  }

  [Symbol.dispose](): void {
    const remaining = (this.#counts.get(this.#session) ?? 1) - 1;
    if (remaining > 0) this.#counts.set(this.#session, remaining);
    else this.#counts.delete(this.#session);
  }
}

/** Work that no call waits for; the host waits for all of it before it closes. */
export function createBackground(): { add(work: Promise<void>): void; ended(): Promise<unknown> } {
  const unfinished = new Set<Promise<void>>();
  return {
    add(work) {
      // A failure must not end the process: the journal of the work still exists.
      const ended = work.catch(() => undefined).finally(() => unfinished.delete(ended));
      unfinished.add(ended);
    },
    ended: () => Promise.all(unfinished),
  };
}

// The commands that run in this process: since when, their latest output, and how to end one. The log does not have all of them: a command
// that changes nothing is recorded when it has ended.
export type RunningCommand = {
  call: ToolCall;
  startedAt: number;
  /** The output since a cursor, as far as it is still stored. */
  read(cursor: number): { output: string; cursor: number; dropped: number };
  /** Ends this call; its caller gets a cancellation. */
  stop(): void;
};

type Begun = Disposable & { signal: AbortSignal; note(progress: Record<string, unknown>): void };

export type RunningCommands = {
  /** The returned `signal` also aborts with the passed one. */
  begin(call: ToolCall, signal: AbortSignal): Begun;
  list(): RunningCommand[];
};

const keptChars = 128 * 1024;

export function createRunningCommands(): RunningCommands {
  const calls = new Set<RunningCommand>();
  return {
    begin(call, signal) {
      const stopped = new AbortController();
      const tail = createTail();
      const stop = (): void =>
        stopped.abort(
          new ToolError('CANCELLED', 'A human stopped this call. What it had done by then stands.'),
        );
      const command: RunningCommand = { call, startedAt: Date.now(), read: tail.read, stop };
      calls.add(command);
      return {
        signal: AbortSignal.any([signal, stopped.signal]),
        note: ({ stdout, stderr }) => tail.push(textOf(stdout) + textOf(stderr)),
        [Symbol.dispose]: () => void calls.delete(command),
      };
    },
    list: () => [...calls],
  };
}

function createTail(): { push(text: string): void; read: RunningCommand['read'] } {
  let tail = '';
  let total = 0;
  return {
    push(text) {
      total += text.length;
      tail = (tail + text).slice(-keptChars);
    },
    read(cursor) {
      const first = total - tail.length;
      const from = Math.min(Math.max(cursor, first), total);
      return { output: tail.slice(from - first), cursor: total, dropped: Math.max(0, first - cursor) };
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

// File versions made by calls of this host. When an approved edit finds its file changed, they tell whether other programs or only our own
// calls changed it, and whether a human saw each of those changes.
type Basis = Plan['basis'][number];

export type KnownVersions = {
  /** `isShown`: a human approved exactly these lines. */
  note(effects: readonly Effect[], isShown: boolean): void;
  /** Whether our own calls made this version. */
  has(basis: Basis): boolean;
  /** Whether only changes that a human saw lead from one version to the other. */
  isShownSince(before: string, now: Basis): boolean;
};

/** `shownSince`: the versions from which only approved changes lead to this one. */
type Version = { print: string; shownSince: ReadonlySet<string> };

const mostKept = 2000;
const mostVersions = 100;

export function createKnownVersions(): KnownVersions {
  const latest = new Map<string, Version>();

  function noteOne({ path, before, after }: Effect, isShown: boolean): void {
    const known = latest.get(path);
    latest.delete(path);
    const [from, print] = [printOf(before), printOf(after)];
    if (print === undefined) return;
    const earlier = known !== undefined && known.print === from ? [...known.shownSince] : [];
    const shownSince = isShown && from !== undefined ? [...earlier, from].slice(-mostVersions) : [];
    latest.set(path, { print, shownSince: new Set(shownSince) });
  }

  return {
    note(effects, isShown) {
      for (const effect of effects) noteOne(effect, isShown);
      for (const path of latest.keys()) {
        if (latest.size <= mostKept) break;
        latest.delete(path);
      }
    },
    has: ({ path, print }) => latest.get(path)?.print === print,
    isShownSince(before, { path, print }) {
      const version = latest.get(path);
      return version?.print === print && version.shownSince.has(before);
    },
  };
}

function printOf(state: FileState | null): string | undefined {
  return state?.digest === undefined ? undefined : `${state.digest}:${state.mode}`;
}

/**
 * Whether agreement to one plan covers the other: the same lines are removed and added in the same files, only our own calls changed these
 * files since, and the surrounding lines are equal or a human saw each change to them.
 */
export function isAgreedTo(agreed: Plan, now: Plan, versions: KnownVersions): boolean {
  const prints = new Map(agreed.basis.map(({ path, print }) => [path, print]));
  const isKnown = (basis: Basis): boolean => prints.get(basis.path) === basis.print || versions.has(basis);
  const isShown = (basis: Basis): boolean =>
    prints.get(basis.path) === basis.print || versions.isShownSince(prints.get(basis.path) ?? '', basis);
  return (
    agreed.basis.length === now.basis.length &&
    now.basis.every((basis) => prints.has(basis.path) && isKnown(basis)) &&
    isSame(agreed.touches, now.touches) &&
    isSame(agreed.notes, now.notes) &&
    agreed.risk === now.risk &&
    hasOnlyDiff(agreed) &&
    hasOnlyDiff(now) &&
    isSame(changedLines(agreed), changedLines(now)) &&
    (now.basis.every(isShown) || isSame(shownLines(agreed), shownLines(now)))
  );
}

function hasOnlyDiff({ diff, command, blast, question }: Plan): boolean {
  const isWhole = diff !== undefined && !diff.truncated;
  return isWhole && command === undefined && blast === undefined && question === undefined;
}

/** The shown lines, hunk by hunk; only their position in the file may differ. */
function shownLines({ diff }: Plan): string[] {
  return (diff?.text ?? '').split('\n').map((line) => (line.startsWith('@@') ? '@@' : line));
}

/** The removed and added lines. */
function changedLines(plan: Plan): string[] {
  return shownLines(plan).filter((line) => !line.startsWith(' '));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
