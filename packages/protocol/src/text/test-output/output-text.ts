// What the readers of test output share: a failed test, output without its colours, the lines of a block, and one line of a longer message.

/** `place` is a path with a line number. `place` and `reason` are empty where the output does not have them. */
export type FailedTest = { name: string; place: string; reason: string };

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
  const plain = first.replace(/^AssertionError(?: \[\w+\])?: /, '');
  if (!plain.endsWith(':')) return plain;
  // A diff begins with its legend or with a changed line, which explains nothing by itself.
  return /^[+-]/.test(second) || second === '' ? plain.slice(0, -1) : `${plain} ${second}`;
}

/** `lib/a.js:5` of `lib/a.js:5:13`: a screen opens a line, not a column. */
export function withoutColumn(place: string): string {
  return place.replace(/^(.+:\d+):\d+$/, '$1');
}
