// What a host knows of its calls while they run: how far they are, the commands among them, the versions of files they made, and the work
// they leave to be done after they have ended.
import { type Effect, type FileState, type Plan, type ToolCall, ToolError } from '@codelab/protocol';

/** How far running calls are, told to whoever watches a session now. Only the outcome goes to the log. */
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

// How many calls of one session are under way, whether they run, wait for a place or for a human. One too many is refused before
// anything is recorded of it: it costs nothing, and the same call can be made again.
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
      return {
        [Symbol.dispose]() {
          const remaining = (counts.get(session) ?? 1) - 1;
          if (remaining > 0) counts.set(session, remaining);
          else counts.delete(session);
        },
      };
    },
  };
}

/** Work that no call waits for; the host waits for all of it before it closes. */
export function createBackground(): { add(work: Promise<void>): void; ended(): Promise<unknown> } {
  const unfinished = new Set<Promise<void>>();
  return {
    add(work) {
      // A failure must not end the process: the journal that the work goes by is still there.
      const ended = work.catch(() => undefined).finally(() => unfinished.delete(ended));
      unfinished.add(ended);
    },
    ended: () => Promise.all(unfinished),
  };
}

// The commands that run here now: since when, what they printed lately, and how to end one of them. The log does not know all of them: what
// changes nothing is recorded when it has ended.
export type RunningCommand = {
  call: ToolCall;
  startedAt: number;
  /** What it has printed since a cursor, as far as it is still there. */
  read(cursor: number): { output: string; cursor: number; dropped: number };
  /** Ends this one call; whoever waits for it is told that it was cancelled. */
  stop(): void;
};

type Begun = Disposable & { signal: AbortSignal; note(progress: Record<string, unknown>): void };

export type RunningCommands = {
  /** `signal` of what is returned aborts with the one given, too. */
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

// Which versions of files were made by calls of this host. When an approved edit finds the file changed, this tells whether others
// did it, or only our own calls, and whether a human was shown every one of those changes.
type Basis = Plan['basis'][number];

export type KnownVersions = {
  /** `isShown`: a human was shown the lines of this very change and agreed to them. */
  note(effects: readonly Effect[], isShown: boolean): void;
  /** Whether our own calls have made this version. */
  has(basis: Basis): boolean;
  /** Whether nothing but changes that a human was shown leads from the one version to the other. */
  isShownSince(before: string, now: Basis): boolean;
};

/** `shownSince`: the versions from which only changes that were shown lead to this one. */
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
 * Whether somebody who agreed to the one plan has agreed to the other one as well: the same lines go and come in the same files, our
 * own calls alone have changed these files since, and the lines around are the same, or a human was shown each change of them.
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

/** All that is shown, hunk by hunk; only where it stands in the file may have moved. */
function shownLines({ diff }: Plan): string[] {
  return (diff?.text ?? '').split('\n').map((line) => (line.startsWith('@@') ? '@@' : line));
}

/** What goes and what comes. */
function changedLines(plan: Plan): string[] {
  return shownLines(plan).filter((line) => !line.startsWith(' '));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
