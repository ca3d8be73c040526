// The activity of a command and its descendants, in spans of wall-clock time, read from the counters of the processes.

/** `bytes` is an upper bound of what was written; `unknown` when the processes could not be inspected. */
export type ActivitySpan = {
  from: number;
  to: number;
  did: 'nothing' | 'something' | 'unknown';
  bytes: number;
};

export type Activity = {
  /** In order, without gaps, from before the start until after the end. */
  spans: readonly ActivitySpan[];
  /** False when the clock was set back meanwhile: then a file's time may mean two moments. */
  isClockSteady: boolean;
  /** Inodes of workspace files that were seen open for writing. */
  openInodes: ReadonlySet<number>;
};

/** Counters of a process. `io` is undefined where other users may not read it. */
export type Counters = {
  isRunning: boolean;
  /** Grows while the process is on a processor. */
  ran: number;
  io: { chars: number; calls: number; pageBytes: number } | undefined;
};

/** Undefined for a process that cannot be inspected. */
export type ProcessCounters = ReadonlyMap<number, Counters | undefined>;

export function spanBetween(
  before: ProcessCounters,
  after: ProcessCounters,
): Pick<ActivitySpan, 'did' | 'bytes'> {
  if ([...before.values(), ...after.values()].includes(undefined))
    return { did: 'unknown', bytes: Number.POSITIVE_INFINITY };
  // The counters of an ended process are gone, so its work after the last sample is unknown.
  const hasEnded = [...before.keys()].some((pid) => !after.has(pid));
  if (hasEnded) return { did: 'something', bytes: Number.POSITIVE_INFINITY };
  let bytes = 0;
  let isActive = false;
  for (const [pid, now] of after) {
    const then = before.get(pid);
    if (now === undefined) continue;
    isActive ||= then === undefined || then.isRunning || now.isRunning || then.ran !== now.ran;
    bytes += writtenBetween(then, now);
  }
  return { did: isActive || bytes > 0 ? 'something' : 'nothing', bytes };
}

const pageBytes = 4096;

// Bytes passed to `write` and the like, and pages made dirty in other ways, such as a mapped file. A small write also makes a whole page
// dirty, which adds no more than was passed.
function writtenBetween(then: Counters | undefined, { io }: Counters): number {
  if (io === undefined || (then !== undefined && then.io === undefined)) return Number.POSITIVE_INFINITY;
  const old = then?.io ?? { chars: 0, calls: 0, pageBytes: 0 };
  const chars = Math.max(0, io.chars - old.chars);
  const explained = chars + (io.calls - old.calls) * pageBytes;
  return chars + Math.max(0, io.pageBytes - old.pageBytes - explained);
}

/** Merges spans in pairs, so that a command of several hours needs no more memory. */
export function halveSpans(spans: readonly ActivitySpan[]): ActivitySpan[] {
  const halved: ActivitySpan[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    const [first, second = first] = spans.slice(i, i + 2);
    if (first === undefined || second === undefined) break;
    const both = [first.did, second.did];
    const activity = both.includes('something')
      ? 'something'
      : both.includes('unknown')
        ? 'unknown'
        : 'nothing';
    const bytes = second === first ? first.bytes : first.bytes + second.bytes;
    halved.push({ from: first.from, to: second.to, did: activity, bytes });
  }
  return halved;
}
