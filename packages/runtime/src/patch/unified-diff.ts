// The difference of two versions of a file: as hunks, and as a unified diff that `git apply` accepts.
import { type Diff, diffLines, type LineChange, type PlanDraft, phrase, type Risk } from '@codelab/protocol';

type Versions = {
  path: string;
  before: string | null;
  after: string | null;
  context?: number;
  maxBytes?: number;
};

/** Null means no file. The result is empty when no line differs, so also for an empty file that is created or deleted. */
export function unifiedDiff({
  path,
  before,
  after,
  context = 3,
  maxBytes = Number.MAX_SAFE_INTEGER,
}: Versions): Diff {
  const oldLines = splitAtLineFeeds(before ?? '');
  const newLines = splitAtLineFeeds(after ?? '');
  const isNew = oldLines.length === 0 && newLines.length > 0;
  const wholeFile = { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: newLines.length };
  const changes = isNew ? [wholeFile] : diffLines(oldLines, newLines);
  const hunks = hunksFrom(oldLines, newLines, changes, context);
  const counts = { ...countChanges(changes), hunks: hunks.length };
  if (hunks.length === 0) return { text: '', ...counts, truncated: false };
  const text = unifiedText({ path, hunks, wasThere: before !== null, isThere: after !== null });
  return { text: text.slice(0, maxBytes), ...counts, truncated: text.length > maxBytes };
}

/** A side without a file is named `/dev/null`. */
type FileHunks = {
  path: string;
  /** The old path of a moved file. */
  from?: string | undefined;
  hunks: readonly Hunk[];
  wasThere: boolean;
  isThere: boolean;
};

export function unifiedText({ path, from = path, hunks, wasThere, isThere }: FileHunks): string {
  const header = [`--- ${fileName('a', from, wasThere)}`, `+++ ${fileName('b', path, isThere)}`];
  return `${[...header, ...hunks.map(hunkText)].join('\n')}\n`;
}

function fileName(side: 'a' | 'b', path: string, isThere: boolean): string {
  if (!isThere) return '/dev/null';
  const name = quotePath(`${side}/${path}`);
  // As in git: without the tab, patch programs end the name at its first space.
  return name.includes(' ') ? `${name}\t` : name;
}

function hunkText(hunk: Hunk): string {
  const header = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
  return `${header}\n${hunk.lines.join('\n')}`;
}

function range(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}

const small = { lines: 100, files: 5 };
const large = { lines: 2000, files: 50 };

/** Undo restores changed files byte for byte, so the risk depends only on how much there is to review. */
export function editRisk(
  { additions, deletions }: { additions: number; deletions: number },
  files = 1,
): Pick<PlanDraft, 'risk' | 'riskReason'> {
  const lines = additions + deletions;
  const fits = (most: { lines: number; files: number }): boolean =>
    lines <= most.lines && files <= most.files;
  const risk: Risk = fits(small) ? 'low' : fits(large) ? 'medium' : 'high';
  const riskReason =
    files === 1 ? phrase('risk.editFile', { lines }) : phrase('risk.editFiles', { lines, files });
  return { risk, riskReason };
}

/** Starts are 1-based; of an empty range, the line before it. `lines` carry ' ', '-' or '+' and no `\n`. */
export type Hunk = {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
};

/** Only the final `\n` is taken off a line, so a change of `\r\n` to `\n` stays visible. */
export function hunksFrom(
  oldLines: readonly string[],
  newLines: readonly string[],
  changes: readonly LineChange[],
  context = 3,
): Hunk[] {
  return groupChanges(changes, context).map((group) => toHunk(oldLines, newLines, group, context));
}

function toHunk(
  oldLines: readonly string[],
  newLines: readonly string[],
  group: ChangeGroup,
  context: number,
): Hunk {
  const first = group[0];
  const last = group.at(-1) ?? first;
  const before = Math.min(context, first.oldStart);
  const after = Math.min(context, oldLines.length - last.oldEnd);
  const oldStart = first.oldStart - before;
  const newStart = first.newStart - before;
  const oldCount = last.oldEnd + after - oldStart;
  const newCount = last.newEnd + after - newStart;

  const lines: string[] = [];
  let unchangedFrom = oldStart;
  for (const change of group) {
    pushLines(lines, ' ', oldLines, unchangedFrom, change.oldStart);
    pushLines(lines, '-', oldLines, change.oldStart, change.oldEnd);
    pushLines(lines, '+', newLines, change.newStart, change.newEnd);
    unchangedFrom = change.oldEnd;
  }
  pushLines(lines, ' ', oldLines, unchangedFrom, last.oldEnd + after);
  return {
    oldStart: oldCount === 0 ? oldStart : oldStart + 1,
    oldLines: oldCount,
    newStart: newCount === 0 ? newStart : newStart + 1,
    newLines: newCount,
    lines,
  };
}

function pushLines(out: string[], sign: string, lines: readonly string[], start: number, end: number): void {
  for (const line of lines.slice(start, end))
    out.push(sign + (line.endsWith('\n') ? line.slice(0, -1) : line));
  const isAtEndOfFile = start < end && end === lines.length;
  if (isAtEndOfFile && !lines[end - 1]?.endsWith('\n')) out.push('\\ No newline at end of file');
}

/** The text a hunk takes away and the text it puts there, with what says where it may stand. */
export type HunkTexts = {
  oldText: string;
  newText: string;
  /** How many lines `oldText` has. */
  oldCount: number;
  /** Context after the last change; null when there is no context at all. */
  trailing: number | null;
  /** One of the sides ends without `\n`, so nothing can follow it. */
  isLast: boolean;
};

export function hunkTexts({ lines }: Pick<Hunk, 'lines'>): HunkTexts {
  const old: string[] = [];
  const now: string[] = [];
  let trailing = 0;
  let hasContext = false;
  let isOldOpen = false;
  let isNewOpen = false;
  let sign = '';
  for (const line of lines) {
    if (line[0] === '\\') {
      isOldOpen ||= sign !== '+';
      isNewOpen ||= sign !== '-';
      continue;
    }
    sign = line[0] ?? '';
    const text = line.slice(1);
    if (sign !== '+') old.push(text);
    if (sign !== '-') now.push(text);
    trailing = sign === ' ' ? trailing + 1 : 0;
    hasContext ||= sign === ' ';
  }
  return {
    oldText: joined(old, isOldOpen),
    newText: joined(now, isNewOpen),
    oldCount: old.length,
    trailing: hasContext ? trailing : null,
    isLast: isOldOpen || isNewOpen,
  };
}

function joined(lines: readonly string[], isOpen: boolean): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}${isOpen ? '' : '\n'}`;
}

/** Which changes share a hunk: those so near each other that their context would touch. */
type ChangeGroup = [LineChange, ...LineChange[]];

function groupChanges(changes: readonly LineChange[], context: number): ChangeGroup[] {
  const groups: ChangeGroup[] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last && change.oldStart - last.oldEnd <= 2 * context) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Counts the lines that changes add and delete. */
export function countChanges(changes: readonly LineChange[]): { additions: number; deletions: number } {
  let additions = 0;
  let deletions = 0;
  for (const change of changes) {
    additions += change.newEnd - change.newStart;
    deletions += change.oldEnd - change.oldStart;
  }
  return { additions, deletions };
}

/**
 * Cuts a text after each `\n` only, as git and patch do: there a lone `\r` is content.
 * Hunks that must apply byte for byte need these lines, since a hunk line always stands for one `\n`.
 */
export function splitAtLineFeeds(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let feed = text.indexOf('\n'); feed !== -1; feed = text.indexOf('\n', start)) {
    lines.push(text.slice(start, feed + 1));
    start = feed + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** Quotes a file name the way git prints it (core.quotePath on); a plain name comes back as it is. */
export function quotePath(name: string): string {
  if (PLAIN.test(name)) return name;
  return `"${Array.from(new TextEncoder().encode(name), escapeByte).join('')}"`;
}

/** Printable ASCII without the double quote and the backslash. */
const PLAIN = /^[ !#-[\]-~]*$/;

const SHORT_ESCAPES: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (PLAIN.test(character)) return character;
  return SHORT_ESCAPES[character] ?? `\\${byte.toString(8).padStart(3, '0')}`;
}
