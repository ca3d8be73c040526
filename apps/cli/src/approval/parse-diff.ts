// A unified diff as numbered lines. The counts in a hunk's header say where it ends, so no line of a file can pass for a header.

export type DiffLine =
  | { type: 'file'; text: string }
  | { type: 'hunk'; number: number; text: string }
  | { type: 'context' | 'added' | 'removed'; number: number; text: string }
  | { type: 'remark'; text: string };

export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let hunk = 0;
  let left = { old: 0, new: 0, oldCount: 0, newCount: 0 };
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    if (text.startsWith('\\')) lines.push({ type: 'remark', text });
    else if (left.oldCount > 0 || left.newCount > 0) lines.push(take(text, left));
    else if (text.startsWith('@@')) {
      left = readHeader(text);
      lines.push({ type: 'hunk', number: ++hunk, text });
    } else lines.push({ type: 'file', text });
  }
  return lines;
}

type Left = { old: number; new: number; oldCount: number; newCount: number };

function take(line: string, left: Left): DiffLine {
  const text = line.slice(1);
  if (line.startsWith('-')) {
    left.oldCount--;
    return { type: 'removed', number: left.old++, text };
  }
  left.newCount--;
  if (line.startsWith('+')) return { type: 'added', number: left.new++, text };
  left.oldCount--;
  left.old++;
  return { type: 'context', number: left.new++, text };
}

function readHeader(text: string): Left {
  const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
  const [, oldStart = '0', oldCount = '1', newStart = '0', newCount = '1'] = found ?? [];
  return {
    old: Number(oldStart),
    oldCount: Number(oldCount),
    new: Number(newStart),
    newCount: Number(newCount),
  };
}
