// Shared by the readers of test output: a failed test, output without colours, the lines of a block, and one line of a longer message.

/** `place` is a path with a line number, and a column where the runner prints one; `lines` what the runner printed about the failure. All but the name are empty where the output does not have them. */
export type FailedTest = { name: string; place: string; reason: string; lines: string[] };

// Runners print colours to a terminal.
const colours = /\p{Cc}\[[0-9;]*m/gu;

export function withoutColours(output: string): string {
  return output.replace(colours, '');
}

/** The lines after `at`, up to the first one that `isEnd` accepts. */
export function blockAfter(lines: readonly string[], at: number, isEnd: (line: string) => boolean): string[] {
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] ?? '')) end++;
  return lines.slice(at + 1, end);
}

/** `Expected values to be strictly equal: 1 !== 2`. The name of a failed assertion says nothing; that of another error does. */
export function reasonIn(message: readonly string[]): string {
  const [first = '', second = ''] = message.map((line) => line.trim()).filter((line) => line !== '');
  const withoutPrefix = first.replace(/^AssertionError(?: \[\w+\])?: /, '');
  if (!withoutPrefix.endsWith(':')) return withoutPrefix;
  // A diff begins with its legend or with a changed line, which explains nothing by itself.
  return /^[+-]/.test(second) || second === '' ? withoutPrefix.slice(0, -1) : `${withoutPrefix} ${second}`;
}

const mostLines = 16;
const longestLine = 240;
const stackFrame = /^\s*at /;

/** A runner's text about a failure, up to the first stack frame in a file of the project. */
export function failureLines(block: readonly string[]): string[] {
  const firstFrame = block.findIndex((line) => stackFrame.test(line));
  const message = firstFrame === -1 ? block : block.slice(0, firstFrame);
  const frame = block.slice(message.length).find((line) => stackFrame.test(line) && isOwnFile(line));
  const lines = outdented(withoutBlankRuns(message));
  const maxLines = frame === undefined ? mostLines : mostLines - 1;
  // The reader opens the place next, so a long message is cut instead of it.
  const shownLines = lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), '…'];
  return [...shownLines, ...(frame === undefined ? [] : [frame.trim()])].map((line) =>
    line.slice(0, longestLine),
  );
}

export function isOwnFile(place: string): boolean {
  return /[\w)]:\d+/.test(place) && !/node_modules\/|\bnode:/.test(place);
}

function withoutBlankRuns(lines: readonly string[]): string[] {
  const withoutBlanks = lines.filter((line, at) => line.trim() !== '' || (lines[at - 1] ?? '').trim() !== '');
  while (withoutBlanks.at(-1)?.trim() === '') withoutBlanks.pop();
  return withoutBlanks[0]?.trim() === '' ? withoutBlanks.slice(1) : withoutBlanks;
}

/** Removes the indentation that all lines share. */
export function outdented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const shared = Math.min(...indents, 200);
  return lines.map((line) => line.slice(shared).trimEnd().replaceAll('\t', '  '));
}
