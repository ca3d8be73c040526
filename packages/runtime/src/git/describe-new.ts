// Untracked files, as the diff of a commit will show them.
import { quotePath, unifiedDiff } from '../patch/unified-diff.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import { openRegular, readWhole } from '../workspace/read-bytes.ts';
import { decodeText } from '../workspace/text-files.ts';

// The approval shows this many files in full and lists the rest by name.
const maxFiles = 100;
const maxBytes = 256 * 1024;
const pathChars = 4096;

export function describeNew(paths: readonly string[], context: PlanContext): string[] {
  return paths.map((path, i) => `${header(path)}${i < maxFiles ? contentOf(path, context) : ''}`);
}

function header(path: string): string {
  return `diff --git ${quotePath(`a/${path}`)} ${quotePath(`b/${path}`)}\nnew file\n`;
}

function contentOf(path: string, { workspace }: PlanContext): string {
  using place = workspace.locate(path, { followLast: false, access: 'read', pathChars });
  if (!place.stat?.isFile()) return '';
  if (place.stat.size > maxBytes) return `${place.stat.size} bytes\n`;
  using file = openRegular(place);
  try {
    const { text } = decodeText(readWhole(file, path), path);
    return unifiedDiff({ path, before: null, after: text }).text;
  } catch {
    return 'Binary file\n';
  }
}

/** Counts what a unified diff adds and deletes. Only lines inside a hunk count: outside, `---` and `+++` name files. */
type Counts = { additions: number; deletions: number; hunks: number };

export function countPatch(text: string): Counts {
  const counts: Counts = { additions: 0, deletions: 0, hunks: 0 };
  let remaining = { old: 0, new: 0 };
  for (const line of text.split('\n')) {
    if (remaining.old <= 0 && remaining.new <= 0) {
      const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (header === null) continue;
      counts.hunks++;
      remaining = { old: Number(header[1] ?? 1), new: Number(header[2] ?? 1) };
    } else if (line.startsWith('+')) {
      counts.additions++;
      remaining.new--;
    } else if (line.startsWith('-')) {
      counts.deletions++;
      remaining.old--;
    } else if (!line.startsWith('\\')) {
      remaining.old--;
      remaining.new--;
    }
  }
  return counts;
}
