// Whose a change is that was made while a command ran: its own when it was doing something fitting just then, somebody else's when it
// was not. What can't be decided by time may be decided by a name in the command line, or by a file seen open.
import type { Activity, Span } from '../process/watch-family.ts';
import { type Clue, cluesTo, type Looks } from './clues.ts';
import type { Difference } from './compare-trees.ts';
import type { Disk } from './disk-of.ts';

export type Writer = 'command' | 'other' | 'uncertain';

/** What is known about a command that has ended. `writes` are the paths that its words name. */
export type Evidence = { activity: Activity | undefined; writes: readonly string[] };

type Verdict =
  | 'command'
  | 'other'
  /** The command was at work, but did not write as much. */
  | 'short'
  | 'unknown'
  /** The traces of the command and of somebody else. */
  | 'both';

export function whoWrote(
  difference: Difference,
  { activity, writes }: Evidence,
  looks: Omit<Looks, 'from' | 'to'>,
  disk: Disk,
): Writer {
  const verdict = judge(difference, activity, looks, disk);
  if (verdict === 'command' || verdict === 'other') return verdict;
  if (verdict === 'both') return 'uncertain';
  const inode = difference.after?.ino;
  if (isNamed(difference.path, writes) || (inode !== undefined && activity?.openInodes.has(inode)))
    return 'command';
  return verdict === 'short' && disk === 'counts' ? 'other' : 'uncertain';
}

function judge(
  difference: Difference,
  activity: Activity | undefined,
  looks: Omit<Looks, 'from' | 'to'>,
  disk: Disk,
): Verdict {
  const [first] = activity?.spans ?? [];
  const last = activity?.spans.at(-1);
  if (!activity?.isClockSteady || first === undefined || last === undefined) return 'unknown';
  // Its times come from another clock.
  if (disk === 'remote') return 'unknown';
  const clues = cluesTo(difference, { ...looks, from: first.from, to: last.to });
  if (clues.some(({ device }) => device !== looks.root.device)) return 'unknown';
  return together(clues.map((clue) => judgeClue(clue, activity.spans)));
}

function together(verdicts: readonly Verdict[]): Verdict {
  const [first = 'unknown'] = verdicts;
  if (verdicts.every((one) => one === first)) return first;
  if (verdicts.includes('other')) return 'both';
  return verdicts.includes('unknown') ? 'unknown' : 'short';
}

// Clocks are read in whole milliseconds.
const roundingMs = 1;

function judgeClue(clue: Clue, spans: readonly Span[]): Verdict {
  const earliest = clue.at - roundingMs;
  const latest = clue.at + clue.grain + roundingMs;
  const then = spansBetween(spans, earliest, latest);
  const isAtWork = then.some(({ did }) => did === 'something');
  if (clue.kind === 'latest' && !isAtWork) {
    const sofar = spansBetween(spans, Number.NEGATIVE_INFINITY, latest);
    return sofar.some(({ did }) => did !== 'nothing') ? 'unknown' : 'other';
  }
  if (!isAtWork) return then.some(({ did }) => did === 'unknown') ? 'unknown' : 'other';
  if (clue.kind !== 'content' || clue.bytes === 0) return 'command';
  const meanwhile = spansBetween(spans, Math.min(clue.since, clue.at) - roundingMs, latest);
  const isEnough = sumOf(then) > 0 && sumOf(meanwhile) >= clue.bytes;
  if (isEnough) return 'command';
  return clue.mayBeCut ? 'unknown' : 'short';
}

function sumOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { bytes }) => sum + bytes, 0);
}

function spansBetween(spans: readonly Span[], from: number, to: number): Span[] {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.to ?? from) < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while ((spans[end]?.from ?? Number.POSITIVE_INFINITY) <= to) end++;
  return spans.slice(low, end);
}

/** It, what is in it, and the folders that are made on the way to it. */
function isNamed(path: string, writes: readonly string[]): boolean {
  return writes.some(
    (named) => named === path || path.startsWith(`${named}/`) || named.startsWith(`${path}/`),
  );
}
