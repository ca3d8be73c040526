// An agent's reads in a row as one step: "Read 12 files, searched 3 times", with the files and line ranges below. The group stays open until
// something else happens, so that many reads take one line on the screen and in the scrollback.
import type { Kind, Outcome, Plan, ToolCall } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { shownLine } from '../../output/shown-text.ts';
import { cutToWidth, wrapText } from '../../output/text-width.ts';

type Sort = 'file' | 'folder' | 'search' | 'other';
type Look = { sort: Sort; label: string };

export type ReadGroup = {
  readonly isEmpty: boolean;
  /** Whether the call was a read, and joins the group. */
  add(call: ToolCall, outcome: Outcome, plan: Plan | undefined): boolean;
  /** The group so far, in one line. */
  readonly title: string;
  /** The lines to print; the group is empty afterwards. */
  close(): string[];
};

type Options = { columns(): number; paint: Paint; kindOf(tool: string): Kind | undefined };

const detailRows = 3;
const mostLabels = 60;

export function createReadGroup({ columns, paint, kindOf }: Options): ReadGroup {
  let looks: Look[] = [];
  return {
    get isEmpty() {
      return looks.length === 0;
    },
    add(call, outcome, plan) {
      const kind = kindOf(call.tool);
      if (outcome.status !== 'completed' || (kind !== 'read' && kind !== 'search')) return false;
      looks.push(lookOf(kind, call, outcome.data, plan));
      return true;
    },
    get title() {
      return groupTitle(looks);
    },
    close() {
      const lines = groupLines(looks, { columns: columns(), paint });
      looks = [];
      return lines;
    },
  };
}

function lookOf(kind: Kind, call: ToolCall, data: Record<string, unknown>, plan: Plan | undefined): Look {
  const path = typeof data.path === 'string' ? data.path : undefined;
  if (kind === 'search') {
    const asked = data.query ?? call.args.pattern ?? call.args.query;
    const where = path === undefined || path === '.' || path === '' ? '' : ` in ${path}`;
    const found = typeof data.total === 'number' ? ` (${data.total})` : '';
    return { sort: 'search', label: shownLine(`${JSON.stringify(asked ?? '')}${where}${found}`) };
  }
  if (path !== undefined && typeof data.content === 'string')
    return { sort: 'file', label: shownLine(path + rangeOf(data)) };
  if (path !== undefined && Array.isArray(data.entries))
    return { sort: 'folder', label: shownLine(path === '.' ? './' : `${path.replace(/\/$/, '')}/`) };
  return { sort: 'other', label: shownLine(plan?.summary ?? call.tool) };
}

/** The lines of a file in the form that editors accept: `:12-40`. */
function rangeOf({ start_line: from, end_line: to, has_more: hasMore }: Record<string, unknown>): string {
  if (typeof from !== 'number' || typeof to !== 'number' || (from === 1 && hasMore !== true)) return '';
  return from === to ? `:${from}` : `:${from}-${to}`;
}

const words: Record<Sort, (count: number) => string> = {
  file: (n) => `read ${n === 1 ? '1 file' : `${n} files`}`,
  folder: (n) => `listed ${n === 1 ? '1 folder' : `${n} folders`}`,
  search: (n) => `searched ${n === 1 ? 'once' : `${n} times`}`,
  other: (n) => (n === 1 ? '1 other look' : `${n} other looks`),
};

const alone: Record<Sort, string> = { file: 'Read ', folder: 'Listed ', search: 'Searched ', other: '' };

function groupTitle(looks: readonly Look[]): string {
  const [only] = looks;
  if (looks.length === 1 && only !== undefined) return `${alone[only.sort]}${only.label}`;
  const counted = (Object.keys(words) as Sort[]).flatMap((sort) => {
    const labels = looks.filter((look) => look.sort === sort).map(({ label }) => label);
    // Parts of one file count as one file.
    const count =
      sort === 'file' ? new Set(labels.map((label) => label.replace(/:[\d-]+$/, ''))).size : labels.length;
    return count === 0 ? [] : [words[sort](count)];
  });
  const title = counted.join(', ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function groupLines(looks: readonly Look[], { columns, paint }: { columns: number; paint: Paint }): string[] {
  if (looks.length === 0) return [];
  const head = `${paint('green', '✔')} ${paint('bold', cutToWidth(groupTitle(looks), columns - 2))}`;
  if (looks.length === 1) return [head];
  const labels = [...new Set(looks.map(({ label }) => label))];
  return [head, ...detailLines(labels, Math.max(20, columns - 2)).map((row) => paint('dim', `  ${row}`))];
}

/** As many names as a few rows hold; the rest is counted. */
function detailLines(labels: readonly string[], width: number): string[] {
  for (let count = Math.min(labels.length, mostLabels); count > 1; count--) {
    const left = labels.length - count;
    const more = left === 0 ? '' : `, and ${left} more · Ctrl-O`;
    const rows = wrapText(labels.slice(0, count).join(', ') + more, width);
    if (rows.length <= detailRows) return rows.map((row) => row.trimEnd());
  }
  return wrapText(labels[0] ?? '', width).slice(0, detailRows);
}
