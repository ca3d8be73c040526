// A hunk whose new lines a human wrote anew. A field knows only line feeds, so the line ends are given back: to each line its own, to new
// ones what most lines have.
import { commonLines, type DiffHunk, hunkSides } from '@codelab/protocol';

/** What stands in the field; undefined when a field can't hold it without changing it. */
export function editableText({ lines }: DiffHunk): string | undefined {
  const { after } = hunkSides(lines);
  const texts = after.map(bare);
  return texts.some((text) => text.includes('\r')) ? undefined : texts.join('\n');
}

/** Undefined when nothing would change any more. */
export function editedHunk(hunk: DiffHunk, text: string): DiffHunk | undefined {
  const { before, after } = hunkSides(hunk.lines);
  const wanted = withEnds(text === '' ? [] : text.split('\n'), after, before);
  const lines: string[] = [];
  let at = 0;
  let to = 0;
  for (const [i, j] of [...commonLines(before, wanted), [before.length, wanted.length] as const]) {
    lines.push(...before.slice(at, i).flatMap((line) => signed('-', line)));
    lines.push(...wanted.slice(to, j).flatMap((line) => signed('+', line)));
    const same = before[i];
    if (same !== undefined && j < wanted.length) lines.push(...signed(' ', same));
    at = i + 1;
    to = j + 1;
  }
  if (lines.every((line) => line.startsWith(' ') || line.startsWith('\\'))) return undefined;
  return { ...hunk, oldLines: before.length, newLines: wanted.length, lines };
}

function signed(sign: string, line: string): string[] {
  return line.endsWith('\n')
    ? [`${sign}${line.slice(0, -1)}`]
    : [`${sign}${line}`, '\\ No newline at end of file'];
}

function bare(line: string): string {
  return line.replace(/\r?\n$/, '');
}

function withEnds(texts: readonly string[], after: readonly string[], before: readonly string[]): string[] {
  const known = [...after, ...before].filter((line) => line.endsWith('\n'));
  const crlf = known.filter((line) => line.endsWith('\r\n')).length;
  const usual = crlf * 2 > known.length ? '\r\n' : '\n';
  const isOpen = after.length > 0 && !after.at(-1)?.endsWith('\n');
  const ends = new Map<number, string>();
  for (const [i, j] of commonLines(after.map(bare), texts)) {
    const line = after[i] ?? '';
    if (line.endsWith('\n')) ends.set(j, line.slice(bare(line).length));
  }
  return texts.map((text, at) =>
    isOpen && at === texts.length - 1 ? text : `${text}${ends.get(at) ?? usual}`,
  );
}
