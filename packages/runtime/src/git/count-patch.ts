// Counts what a unified diff adds and deletes. Lines count only inside a hunk: outside, `---` and `+++` name files.

type Counts = { additions: number; deletions: number; hunks: number };

export function countPatch(text: string): Counts {
  const counts: Counts = { additions: 0, deletions: 0, hunks: 0 };
  let left = { old: 0, new: 0 };
  for (const line of text.split('\n')) {
    if (left.old <= 0 && left.new <= 0) {
      const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (header === null) continue;
      counts.hunks++;
      left = { old: Number(header[1] ?? 1), new: Number(header[2] ?? 1) };
    } else if (line.startsWith('+')) {
      counts.additions++;
      left.new--;
    } else if (line.startsWith('-')) {
      counts.deletions++;
      left.old--;
    } else if (!line.startsWith('\\')) {
      left.old--;
      left.new--;
    }
  }
  return counts;
}
