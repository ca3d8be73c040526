/**
 * The structured patch of a known edit. Only the lines around the spans are cut out and compared; in the rest of the text only line feeds
 * are counted, to number the lines.
 */
import { type Diff, diffLines, type LineChange } from '@codelab/protocol';
import { type Hunk, hunksFrom, splitAtLineFeeds, unifiedText } from '../patch/unified-diff.ts';
import { type LineBlock, lineBlocks } from './nearest-candidate.ts';
import type { ReplacedSpan } from './spans.ts';

/** A block of up to 200 lines on both sides is compared exactly, a longer one with bounded effort. */
const MAX_EDITS = 400;

/** The spans are in order and do not overlap. */
export function hunksFromSpans(before: string, spans: readonly ReplacedSpan[], context = 3): Hunk[] {
  const hunks: Hunk[] = [];
  let line = 0;
  let countedTo = 0;
  let delta = 0;
  for (const group of nearBlocks(before, lineBlocks(before, spans), context)) {
    const window = openWindow(before, group, context);
    line += countLineFeeds(before, countedTo, window.start);
    countedTo = window.start;
    for (const hunk of hunksFrom(window.oldLines, window.newLines, window.changes, context)) {
      hunks.push({ ...hunk, oldStart: hunk.oldStart + line, newStart: hunk.newStart + line + delta });
    }
    delta += window.newLines.length - window.oldLines.length;
  }
  return hunks;
}

type BlockGroup = [LineBlock, ...LineBlock[]];

/** Groups blocks whose context lines may touch. */
function nearBlocks(before: string, blocks: LineBlock[], context: number): BlockGroup[] {
  const groups: BlockGroup[] = [];
  let reach = -1;
  for (const block of blocks) {
    const group = groups.at(-1);
    if (group && block.start <= reach) group.push(block);
    else groups.push([block]);
    reach = linesAfter(before, block.end, 2 * context);
  }
  return groups;
}

type Window = { start: number; oldLines: string[]; newLines: string[]; changes: LineChange[] };

function openWindow(before: string, group: BlockGroup, context: number): Window {
  const start = linesBefore(before, group[0].start, context);
  const window: Window = { start, oldLines: [], newLines: [], changes: [] };
  let at = start;
  for (const block of group) {
    addKept(window, before.slice(at, block.start));
    addBlock(window, before.slice(block.start, block.end), block.text);
    at = block.end;
  }
  addKept(window, before.slice(at, linesAfter(before, at, context)));
  return window;
}

function addKept({ oldLines, newLines }: Window, text: string): void {
  for (const line of splitAtLineFeeds(text)) {
    oldLines.push(line);
    newLines.push(line);
  }
}

function addBlock({ oldLines, newLines, changes }: Window, before: string, after: string): void {
  const oldBlock = splitAtLineFeeds(before);
  const newBlock = splitAtLineFeeds(after);
  const size = oldBlock.length + newBlock.length;
  const found = diffLines(oldBlock, newBlock, { maxEdits: Math.min(size, MAX_EDITS) });
  for (const change of found) addChange(changes, shifted(change, oldLines.length, newLines.length));
  for (const line of oldBlock) oldLines.push(line);
  for (const line of newBlock) newLines.push(line);
}

function shifted({ oldStart, oldEnd, newStart, newEnd }: LineChange, old: number, next: number): LineChange {
  return { oldStart: oldStart + old, oldEnd: oldEnd + old, newStart: newStart + next, newEnd: newEnd + next };
}

/** Changes of neighbouring blocks with no line between them are merged into one. */
function addChange(changes: LineChange[], change: LineChange): void {
  const last = changes.at(-1);
  if (last?.oldEnd === change.oldStart && last.newEnd === change.newStart) {
    last.oldEnd = change.oldEnd;
    last.newEnd = change.newEnd;
  } else changes.push(change);
}

/** Native searches from line feed to line feed are five times as fast as a loop over characters. */
function countLineFeeds(text: string, start: number, end: number): number {
  let count = 0;
  for (let feed = text.indexOf('\n', start); feed !== -1 && feed < end; feed = text.indexOf('\n', feed + 1)) {
    count++;
  }
  return count;
}

function linesBefore(text: string, lineStart: number, count: number): number {
  let start = lineStart;
  for (let line = 0; line < count && start > 0; line++) {
    start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  }
  return start;
}

function linesAfter(text: string, lineStart: number, count: number): number {
  let end = lineStart;
  for (let line = 0; line < count && end < text.length; line++) {
    end = text.indexOf('\n', end) + 1 || text.length;
  }
  return end;
}

/** The diff for approval, from hunks that are already known; equal to what `unifiedDiff` finds by comparing. */
type PathHunks = { path: string; hunks: readonly Hunk[]; wasThere?: boolean; maxBytes?: number };

/** The text is empty when there are no hunks. */
export function unifiedFromHunks({
  path,
  hunks,
  wasThere = true,
  maxBytes = Number.MAX_SAFE_INTEGER,
}: PathHunks): Diff {
  const text = hunks.length === 0 ? '' : unifiedText({ path, hunks, wasThere, isThere: true });
  let additions = 0;
  let deletions = 0;
  for (const line of hunks.flatMap(({ lines }) => lines)) {
    if (line.startsWith('+')) additions++;
    else if (line.startsWith('-')) deletions++;
  }
  const truncated = text.length > maxBytes;
  return { text: text.slice(0, maxBytes), additions, deletions, hunks: hunks.length, truncated };
}
