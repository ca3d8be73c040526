// The lines of a file as a model reads them: numbered, and at the end how many lines there are and where to continue.

export type FileLines = {
  content: string;
  start_line?: number | undefined;
  has_more?: boolean | undefined;
  total_lines?: number | undefined;
};

/** As many whole lines as fit into `maxChars`, but at least one. */
export function tellLines(
  { content, start_line, has_more = false, total_lines }: FileLines,
  maxChars = Number.POSITIVE_INFINITY,
): string {
  const first = start_line ?? 1;
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  if (lines.length === 0) return tellNothing(total_lines);
  const numbered = lines.map((line, i) => `${first + i}\t${line.replace(/\r$/, '')}`);
  const fitted = fitting(numbered, maxChars);
  const last = first + fitted.length - 1;
  const totalLines = total_lines ?? (has_more ? undefined : first + lines.length - 1);
  if (last === totalLines)
    return [
      ...fitted,
      first === 1 ? `[${count(totalLines)}]` : `[End of the file: ${count(totalLines)}]`,
    ].join('\n');
  const totalText = totalLines === undefined ? '' : ` of ${totalLines}`;
  return [...fitted, `[Lines ${first} to ${last}${totalText}. To go on: start_line ${last + 1}.]`].join('\n');
}

function tellNothing(total: number | undefined): string {
  if (total === undefined || total === 0) return '[The file is empty.]';
  return `[No such lines: the file has ${count(total)}. Ask for a start_line of at most ${total}.]`;
}

function count(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`;
}

function fitting(lines: readonly string[], maxChars: number): readonly string[] {
  let charsLeft = maxChars;
  const end = lines.findIndex((line, i) => {
    charsLeft -= line.length + 1;
    return charsLeft < 0 && i > 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}
