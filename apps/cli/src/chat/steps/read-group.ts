// An agent's reads in a row as one step: "Read 12 files, searched 3 times", with the files and line ranges below. The group stays open until
// something else happens, so that many reads take one line on the screen and in the scrollback.
import type { Kind, Outcome, Plan, ToolCall } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { shownLine } from '../../output/shown-text.ts';
import { cutToWidth, wrapText } from '../../output/text-width.ts';
import { type LinkOf, linkedText } from '../markdown/path-links.ts';

type Sort = 'file' | 'folder' | 'search' | 'other';
/** `lines`: the part of a file that was read; undefined for all of it. */
type Look = { sort: Sort; label: string; lines?: LineRange | undefined };
type LineRange = readonly [from: number, to: number];

export type ReadGroup = {
  readonly isEmpty: boolean;
  /** Whether the call was a read, and joins the group. */
  add(call: ToolCall, outcome: Outcome, plan: Plan | undefined): boolean;
  /** The group so far, in one line. */
  readonly title: string;
  /** The lines to print; the group is empty afterwards. */
  close(): string[];
};

type Options = {
  columns(): number;
  paint: Paint;
  kindOf(tool: string): Kind | undefined;
  linkOf?: LinkOf | undefined;
};

const detailRows = 3;
const mostLabels = 60;

export function createReadGroup({ columns, paint, kindOf, linkOf }: Options): ReadGroup {
  let reads: Look[] = [];
  return {
    get isEmpty() {
      return reads.length === 0;
    },
    add(call, outcome, plan) {
      const kind = kindOf(call.tool);
      if (outcome.status !== 'completed' || (kind !== 'read' && kind !== 'search')) return false;
      reads.push(lookOf(kind, call, outcome.data, plan));
      return true;
    },
    get title() {
      return groupTitle(reads);
    },
    close() {
      const lines = groupLines(reads, { columns: columns(), paint, linkOf });
      reads = [];
      return lines;
    },
  };
}

function lookOf(kind: Kind, call: ToolCall, data: Record<string, unknown>, plan: Plan | undefined): Look {
  const path = typeof data.path === 'string' ? data.path : undefined;
  if (kind === 'search') {
    const query = data.query ?? call.args.pattern ?? call.args.query;
    const folderText = path === undefined || path === '.' || path === '' ? '' : ` in ${path}`;
    const totalText = typeof data.total === 'number' ? ` (${data.total})` : '';
    return { sort: 'search', label: shownLine(`${JSON.stringify(query ?? '')}${folderText}${totalText}`) };
  }
  if (path !== undefined && typeof data.content === 'string')
    return { sort: 'file', label: shownLine(path), lines: linesRead(data) };
  if (path !== undefined && Array.isArray(data.entries))
    return { sort: 'folder', label: shownLine(path === '.' ? './' : `${path.replace(/\/$/, '')}/`) };
  return { sort: 'other', label: shownLine(plan?.summary ?? call.tool) };
}

function linesRead({
  start_line: from,
  end_line: to,
  has_more: hasMore,
}: Record<string, unknown>): LineRange | undefined {
  const isPart = typeof from === 'number' && typeof to === 'number' && (from > 1 || hasMore === true);
  return isPart ? [from, to] : undefined;
}

/** One label for each thing: the parts of a file are joined, in the form that editors accept, `a.ts:12-40,95`. */
function labelsOf(reads: readonly Look[]): string[] {
  const byLabel = Map.groupBy(reads, ({ label }) => label);
  return [...byLabel].map(([label, parts]) => {
    const ranges = parts.flatMap(({ lines }) => (lines === undefined ? [] : [lines]));
    return ranges.length < parts.length ? label : `${label}:${joined(ranges).map(rangeText).join(',')}`;
  });
}

function joined(ranges: readonly LineRange[]): LineRange[] {
  const result: LineRange[] = [];
  for (const [from, to] of ranges.toSorted(([a], [other]) => a - other)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1] + 1)
      result[result.length - 1] = [last[0], Math.max(last[1], to)];
    else result.push([from, to]);
  }
  return result;
}

function rangeText([from, to]: LineRange): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

const words: Record<Sort, (count: number) => string> = {
  file: (n) => `read ${n === 1 ? '1 file' : `${n} files`}`,
  folder: (n) => `listed ${n === 1 ? '1 folder' : `${n} folders`}`,
  search: (n) => `searched ${n === 1 ? 'once' : `${n} times`}`,
  other: (n) => (n === 1 ? '1 other look' : `${n} other looks`),
};

const alone: Record<Sort, string> = { file: 'Read ', folder: 'Listed ', search: 'Searched ', other: '' };

function groupTitle(reads: readonly Look[]): string {
  const [only] = reads;
  if (reads.length === 1 && only !== undefined) return `${alone[only.sort]}${labelsOf(reads).join('')}`;
  const phrases = (Object.keys(words) as Sort[]).flatMap((sort) => {
    const labels = reads.filter((read) => read.sort === sort).map(({ label }) => label);
    // Parts of one file count as one file.
    const count = sort === 'file' ? new Set(labels).size : labels.length;
    return count === 0 ? [] : [words[sort](count)];
  });
  const title = phrases.join(', ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function groupLines(
  reads: readonly Look[],
  { columns, paint, linkOf }: { columns: number; paint: Paint; linkOf: LinkOf | undefined },
): string[] {
  if (reads.length === 0) return [];
  const title = linkedText(cutToWidth(groupTitle(reads), columns - 2), linkOf);
  const head = `${paint('green', '✔')} ${paint('bold', title)}`;
  if (reads.length === 1) return [head];
  const rows = detailLines(labelsOf(reads), Math.max(20, columns - 2));
  return [head, ...rows.map((row) => paint('dim', `  ${linkedText(row, linkOf)}`))];
}

/** As many names as fit into a few rows; the rest is counted. */
function detailLines(labels: readonly string[], width: number): string[] {
  for (let count = Math.min(labels.length, mostLabels); count > 1; count--) {
    const hidden = labels.length - count;
    const overflowNote = hidden === 0 ? '' : `, and ${hidden} more · Ctrl-O`;
    const rows = wrapText(labels.slice(0, count).join(', ') + overflowNote, width);
    if (rows.length <= detailRows) return rows.map((row) => row.trimEnd());
  }
  return wrapText(labels[0] ?? '', width).slice(0, detailRows);
}
