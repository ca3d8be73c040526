// Everything drawn below the conversation, from the state alone: activity, input, status, completions.
import { visibleLine } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { shownLine } from '../../output/shown-text.ts';
import { cutToWidth, columns as lineUp } from '../../output/text-width.ts';
import type { Draft } from '../input/draft.ts';
import { draftLines } from '../input/draft-lines.ts';
import type { HistorySearch } from '../input/history-search.ts';
import type { Suggestion } from '../input/suggest.ts';
import type { QueuedLine } from '../queue.ts';
import type { ScreenFrame } from './screen.ts';
import { type Status, statusLine } from './status-line.ts';

export type ScreenState = {
  live: readonly string[];
  draft: Draft;
  /** Messages sent while the agent works that it has not received yet. */
  queue: readonly QueuedLine[];
  /** The tool whose approval waits until the user has finished typing. */
  held: string | undefined;
  notice: string;
  suggestions: readonly Suggestion[];
  chosen: number;
  search: HistorySearch | undefined;
  status: Status | undefined;
};

type Size = { columns: number; rows: number };

const menuRows = 8;
const queueRows = 3;
const hint = 'Ask for something · / commands · @ files · ! shell';

export function renderFrame(view: ScreenState, size: Size, paint: Paint): ScreenFrame {
  const columns = Math.max(20, size.columns - 1);
  const rows = Math.max(6, size.rows - 1);
  const input = draftLines(view.draft, { columns, rows: Math.max(1, Math.floor(rows / 3)), paint });
  const isEmpty = view.draft.text === '';
  const typed = isEmpty
    ? input.lines.map((line) => line + paint('dim', cutToWidth(hint, columns - 4)))
    : input.lines;
  const below = [
    paint('dim', '─'.repeat(columns)),
    view.status === undefined ? '' : statusLine(view.status, { columns, paint }),
    ...menu(view, { columns, rows: Math.max(0, Math.min(menuRows, rows - typed.length - 3)) }, paint),
  ];
  const above = [
    ...queueLines(view.queue).map((line) => paint('dim', cutToWidth(line, columns))),
    ...noticeLines(view).map((line) => paint('yellow', cutToWidth(line, columns))),
    paint('dim', '─'.repeat(columns)),
  ];
  // Never more rows than the window has: rows above it can't be redrawn.
  const room = Math.max(0, rows - above.length - typed.length - below.length - 1);
  const live = view.live.length > room ? view.live.slice(view.live.length - room) : view.live;
  const before = [...(live.length > 0 ? [...live, ''] : ['']), ...above];
  const all = [...before, ...typed, ...below].slice(-rows);
  const lost = before.length + typed.length + below.length - all.length;
  const row = Math.max(0, before.length + input.cursor.row - lost);
  return { lines: all, cursor: { row, column: input.cursor.column } };
}

const whens: Record<QueuedLine['when'], string> = {
  step: 'queued for the next step',
  turn: 'queued for after the turn',
  line: 'queued for after the turn',
};

function queueLines(queue: readonly QueuedLine[]): string[] {
  const hidden = queue.length - queueRows;
  const last = queue.at(-1);
  const other =
    last?.when === 'step' ? ' · Ctrl-T after the turn' : last?.when === 'turn' ? ' · Ctrl-T next step' : '';
  return [
    ...(hidden > 0 ? [`  … ${hidden} more queued`] : []),
    ...queue.slice(-queueRows).map(({ text, when }) => `  ${whens[when]}: ${shownLine(text)}`),
    ...(last === undefined ? [] : [`  ↑ edits it${other}`]),
  ];
}

function noticeLines({ held, notice, search }: ScreenState): string[] {
  if (search !== undefined) return [searchText(search)];
  if (held !== undefined)
    return [`▲ ${visibleLine(held)} waits for your decision: send or clear your line, or press Tab.`];
  return notice === '' ? [] : [notice];
}

function searchText({ query, isFound }: HistorySearch): string {
  const what = isFound ? 'Ctrl-R older · Enter accept · Esc cancel' : 'no match · Esc cancel';
  return `  search in history: ${shownLine(query)}▏ ${what}`;
}

function menu({ suggestions, chosen }: ScreenState, { columns, rows: most }: Size, paint: Paint): string[] {
  const first = Math.max(0, Math.min(chosen - most + 1, suggestions.length - most));
  const shown = suggestions.slice(first, first + most);
  const rows = lineUp(shown.map(({ label, hint: more = '' }) => [visibleLine(label), more]));
  return rows.map((row, i) => {
    const isChosen = first + i === chosen;
    const line = cutToWidth(`${isChosen ? '❯' : ' '} ${row}`, columns - 2);
    return `  ${isChosen ? paint('cyan', line) : paint('dim', line)}`;
  });
}
