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
  heldTool: string | undefined;
  notice: string;
  suggestions: readonly Suggestion[];
  selected: number;
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
  const inputLines = isEmpty
    ? input.lines.map((line) => line + paint('dim', cutToWidth(hint, columns - 4)))
    : input.lines;
  const below = [
    paint('dim', '─'.repeat(columns)),
    view.status === undefined ? '' : statusLine(view.status, { columns, paint }),
    ...menu(view, { columns, rows: Math.max(0, Math.min(menuRows, rows - inputLines.length - 3)) }, paint),
  ];
  const above = [
    ...queueLines(view.queue).map((line) => paint('dim', cutToWidth(line, columns))),
    ...noticeLines(view).map((line) => paint('yellow', cutToWidth(line, columns))),
    paint('dim', '─'.repeat(columns)),
  ];
  // Never more rows than the window has: rows above it can't be redrawn.
  const liveRows = Math.max(0, rows - above.length - inputLines.length - below.length - 1);
  const live = view.live.length > liveRows ? view.live.slice(view.live.length - liveRows) : view.live;
  const before = [...(live.length > 0 ? [...live, ''] : ['']), ...above];
  const lines = [...before, ...inputLines, ...below].slice(-rows);
  const cutRows = before.length + inputLines.length + below.length - lines.length;
  const row = Math.max(0, before.length + input.cursor.row - cutRows);
  return { lines: lines, cursor: { row, column: input.cursor.column } };
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

function noticeLines({ heldTool, notice, search }: ScreenState): string[] {
  if (search !== undefined) return [searchText(search)];
  if (heldTool !== undefined)
    return [`▲ ${visibleLine(heldTool)} waits for your decision: send or clear your line, or press Tab.`];
  return notice === '' ? [] : [notice];
}

function searchText({ query, isFound }: HistorySearch): string {
  const hint = isFound ? 'Ctrl-R older · Enter accept · Esc cancel' : 'no match · Esc cancel';
  return `  search in history: ${shownLine(query)}▏ ${hint}`;
}

function menu(
  { suggestions, selected }: ScreenState,
  { columns, rows: maxRows }: Size,
  paint: Paint,
): string[] {
  const first = Math.max(0, Math.min(selected - maxRows + 1, suggestions.length - maxRows));
  const visibleSuggestions = suggestions.slice(first, first + maxRows);
  const rows = lineUp(visibleSuggestions.map(({ label, hint = '' }) => [visibleLine(label), hint]));
  return rows.map((row, i) => {
    const isChosen = first + i === selected;
    const line = cutToWidth(`${isChosen ? '❯' : ' '} ${row}`, columns - 2);
    return `  ${isChosen ? paint('cyan', line) : paint('dim', line)}`;
  });
}
