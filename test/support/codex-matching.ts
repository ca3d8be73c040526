/**
 * The published matching rules of Codex for `*** Begin Patch`, rewritten as an oracle: the old lines of a hunk are searched from the end of
 * the hunk before it, exactly, then without trailing blanks, then without blanks around, then with plain punctuation; the first place
 * counts. Only sections that update one file; undefined where these rules refuse.
 */
export function applyAsCodex(before: string, patch: string): string | undefined {
  const lines = before.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const replacements: { at: number; remove: number; insert: string[] }[] = [];
  let from = 0;
  for (const { anchor, old, fresh, isAtEnd } of readHunks(patch)) {
    if (anchor !== undefined) {
      const at = seek(lines, [anchor], from, false);
      if (at === undefined) return undefined;
      from = at + 1;
    }
    if (old.length === 0) {
      replacements.push({ at: lines.length, remove: 0, insert: fresh });
      continue;
    }
    let hunk = { old, fresh };
    let at = seek(lines, old, from, isAtEnd);
    if (at === undefined && old.at(-1) === '') {
      hunk = { old: old.slice(0, -1), fresh: fresh.at(-1) === '' ? fresh.slice(0, -1) : fresh };
      at = seek(lines, hunk.old, from, isAtEnd);
    }
    if (at === undefined) return undefined;
    replacements.push({ at, remove: hunk.old.length, insert: hunk.fresh });
    from = at + hunk.old.length;
  }
  for (const { at, remove, insert } of replacements.sort((a, b) => b.at - a.at))
    lines.splice(at, remove, ...insert);
  return `${lines.join('\n')}\n`;
}

type Hunk = { anchor?: string; old: string[]; fresh: string[]; isAtEnd: boolean };

function readHunks(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  for (const line of patch.split('\n')) {
    if (line.startsWith('*** End of File')) {
      if (hunk) hunk.isAtEnd = true;
    } else if (line.startsWith('*** ')) continue;
    else if (line.startsWith('@@')) {
      hunk = { old: [], fresh: [], isAtEnd: false, ...(line.length > 3 && { anchor: line.slice(3) }) };
      hunks.push(hunk);
    } else if (hunk) {
      const text = line.slice(1);
      if (line[0] !== '+') hunk.old.push(text);
      if (line[0] !== '-') hunk.fresh.push(text);
    }
  }
  // The newline at the end of the patch is none of the hunk's lines.
  const last = hunks.at(-1);
  if (last && patch.endsWith('\n') && !patch.includes('*** End Patch')) {
    last.old.pop();
    last.fresh.pop();
  }
  return hunks;
}

const passes = [
  (line: string) => line,
  (line: string) => line.trimEnd(),
  (line: string) => line.trim(),
  (line: string) =>
    line
      .trim()
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/[\u2018-\u201b]/g, "'")
      .replace(/[\u201c-\u201f]/g, '"')
      .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' '),
];

function seek(
  lines: readonly string[],
  pattern: readonly string[],
  from: number,
  isAtEnd: boolean,
): number | undefined {
  const last = lines.length - pattern.length;
  const start = isAtEnd && last >= 0 ? last : from;
  for (const pass of passes)
    for (let at = start; at <= last; at++)
      if (pattern.every((line, index) => pass(line) === pass(lines[at + index] ?? ''))) return at;
  return undefined;
}
