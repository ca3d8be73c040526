// Models often miscount the lines of a hunk. Where its lines show without doubt where it ends, the header's counts are corrected from them,
// as by `git apply --recount`; a text with a doubtful hunk stays as it is, and its reader refuses it.

/** The diff with correct counts; undefined when they are correct, or can't be determined. */
export function recountDiff(text: string): string | undefined {
  const lines = text.replace(/\n$/, '').split('\n');
  let isChanged = false;
  for (let at = 0; at < lines.length; ) {
    const header = readHeader(lines[at]);
    if (header === undefined) {
      at++;
      continue;
    }
    const end = endByCounts(lines, at + 1, header);
    if (end !== undefined) {
      at = end;
      continue;
    }
    const body = bodyAt(lines, at + 1);
    const counts = body && countsOf(body, header, at + 1 + body.length);
    if (counts === undefined) return undefined;
    lines[at] = `@@ -${header.oldStart},${counts.old} +${header.newStart},${counts.new} @@${header.tail}`;
    isChanged = true;
    at += 1 + (body?.length ?? 0);
  }
  return isChanged ? `${lines.join('\n')}\n` : undefined;

  function countsOf(body: readonly string[], header: Header, end: number): Counts | undefined {
    const counts = countBody(body);
    const isLast = lines.slice(end).every((line) => line === '');
    // A diff that ends with too few lines may be cut off: its header then counts more changes than the diff has.
    const isShort = counts.old < header.old || counts.new < header.new;
    if (isLast && isShort && counts.new - counts.old !== header.new - header.old) return undefined;
    // An empty range is numbered by the line before it, so its start would mean another place.
    const isSamePlace =
      (counts.old === 0) === (header.old === 0) && (counts.new === 0) === (header.new === 0);
    return isSamePlace && body.some((line) => /^[-+]/.test(line)) ? counts : undefined;
  }
}

type Counts = { old: number; new: number };
type Header = Counts & { oldStart: string; newStart: string; tail: string };

function readHeader(line = ''): Header | undefined {
  const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/s.exec(line);
  if (match === null) return undefined;
  const [, oldStart = '', old = '1', newStart = '', added = '1', tail = ''] = match;
  return { oldStart, old: Number(old), newStart, new: Number(added), tail };
}

/** The line after the hunk if its counts are right and no further hunk line follows. */
function endByCounts(lines: readonly string[], start: number, header: Header): number | undefined {
  let { old, new: added } = header;
  let at = start;
  for (; old > 0 || added > 0; at++) {
    const line = lines[at];
    if (line === undefined || !isBody(line)) return undefined;
    if (line.startsWith('\\')) continue;
    if (!line.startsWith('+')) old--;
    if (!line.startsWith('-')) added--;
    if (old < 0 || added < 0) return undefined;
  }
  if (lines[at]?.startsWith('\\')) at++;
  const next = lines[at] ?? '';
  return /^[-+ ]/.test(next) && !isFileHeader(lines, at) && !/^-- ?$/.test(next) ? undefined : at;
}

/** The lines up to the next hunk, the next file or the end, without empty lines before those; undefined when some line may not belong to a hunk. */
function bodyAt(lines: readonly string[], start: number): string[] | undefined {
  let end = start;
  while (end < lines.length && !isBoundary(lines, end)) {
    const line = lines[end] ?? '';
    const mayBeOther = /^-- ?$/.test(line) || (line.startsWith('--- ') && lines[end + 1]?.startsWith('+++ '));
    if (!isBody(line) || mayBeOther) return undefined;
    end++;
  }
  while (end > start && lines[end - 1] === '') end--;
  return lines.slice(start, end);
}

/** An empty context line may have lost its blank. */
function isBody(line: string): boolean {
  return line === '' || /^[-+ \\]/.test(line);
}

function isBoundary(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return readHeader(line) !== undefined || line.startsWith('diff --git ') || isFileHeader(lines, at);
}

/** Requires the first hunk: `--- x` and `+++ y` alone may be removed and added lines. */
function isFileHeader(lines: readonly string[], at: number): boolean {
  const [old, added, hunk] = lines.slice(at, at + 3);
  return (old?.startsWith('--- ') && added?.startsWith('+++ ') && readHeader(hunk) !== undefined) ?? false;
}

function countBody(body: readonly string[]): Counts {
  const contentLines = body.filter((line) => !line.startsWith('\\'));
  return {
    old: contentLines.filter((line) => !line.startsWith('+')).length,
    new: contentLines.filter((line) => !line.startsWith('-')).length,
  };
}
