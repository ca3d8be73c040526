// A file of forty lines and a change of it: three hunks far from each other, of which the first can be split.
export const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
export const changed = lines.with(1, 'one').with(4, 'two').with(19, 'three').with(35, 'four');

export function textOf(texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}

/** The change of the lines with these numbers, as a hunk. */
export function hunkOf(first: number, last: number): string {
  const body = lines.slice(first - 1, last).map((line, i) => {
    const now = changed[first - 1 + i];
    return line === now ? ` ${line}\n` : `-${line}\n+${now}\n`;
  });
  const range = `${first},${body.length}`;
  return `@@ -${range} +${range} @@\n${body.join('')}`;
}
