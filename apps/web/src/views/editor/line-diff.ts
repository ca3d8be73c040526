// The difference of two texts as unified text, for a person. The shortest one, up to a bounded effort.
type Step = { kind: ' ' | '-' | '+'; line: string };

const contextLines = 3;
const mostSteps = 800;

/** Empty when they are the same. */
export function lineDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const steps = compare(linesOf(before), linesOf(after));
  return [`--- a/${path}`, `+++ b/${path}`, ...hunks(steps)].join('\n').concat('\n');
}

/** The edits that turn one list of lines into the other. */
function compare(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const same = (lines: readonly string[]): Step[] => lines.map((line) => ({ kind: ' ', line }));
  return [
    ...same(before.slice(0, start)),
    ...shortest(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ];
}

// Myers' greedy search: for each number of edits, how far each diagonal reaches.
function shortest(before: readonly string[], after: readonly string[]): Step[] {
  const reach = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  const most = Math.min(before.length + after.length, mostSteps);
  for (let edits = 0; edits <= most; edits++) {
    trace.push(new Map(reach));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isDown(reach, diagonal, edits) ? at(reach, diagonal + 1) : at(reach, diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      reach.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return walkBack(before, after, trace);
    }
  }
  return [
    ...before.map((line): Step => ({ kind: '-', line })),
    ...after.map((line): Step => ({ kind: '+', line })),
  ];
}

function walkBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly Map<number, number>[],
): Step[] {
  const steps: Step[] = [];
  let x = before.length;
  let y = after.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] ?? new Map<number, number>();
    const from = isDown(reach, x - y, edits) ? x - y + 1 : x - y - 1;
    const [oldX, oldY] = [at(reach, from), at(reach, from) - from];
    while (x > Math.max(oldX, 0) && y > Math.max(oldY, 0)) {
      steps.push({ kind: ' ', line: before[--x] ?? '' });
      y--;
    }
    if (edits === 0) break;
    if (x === oldX) steps.push({ kind: '+', line: after[--y] ?? '' });
    else steps.push({ kind: '-', line: before[--x] ?? '' });
  }
  return steps.reverse();
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  return diagonal === -edits || (diagonal !== edits && at(reach, diagonal - 1) < at(reach, diagonal + 1));
}

function at(reach: ReadonlyMap<number, number>, diagonal: number): number {
  return reach.get(diagonal) ?? -1;
}

function hunks(steps: readonly Step[]): string[] {
  const changed = steps.flatMap(({ kind }, index) => (kind === ' ' ? [] : [index]));
  const lines: string[] = [];
  let [oldLine, newLine, done] = [1, 1, 0];
  for (let i = 0; i < changed.length; ) {
    const from = Math.max(done, (changed[i] ?? 0) - contextLines);
    let last = changed[i] ?? 0;
    while (++i < changed.length && (changed[i] ?? 0) - last <= 2 * contextLines) last = changed[i] ?? 0;
    const until = Math.min(steps.length, last + contextLines + 1);
    oldLine += from - done;
    newLine += from - done;
    const hunk = steps.slice(from, until);
    const [olds, news] = [count(hunk, '+'), count(hunk, '-')];
    lines.push(`@@ -${range(oldLine, olds)} +${range(newLine, news)} @@`, ...hunk.flatMap(spell));
    oldLine += olds;
    newLine += news;
    done = until;
  }
  return lines;
}

function count(steps: readonly Step[], without: Step['kind']): number {
  return steps.filter(({ kind }) => kind !== without).length;
}

function range(line: number, lines: number): string {
  return `${lines === 0 ? line - 1 : line},${lines}`;
}

function spell({ kind, line }: Step): string[] {
  return line.endsWith('\n') ? [kind + line.slice(0, -1)] : [kind + line, '\\ No newline at end of file'];
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
