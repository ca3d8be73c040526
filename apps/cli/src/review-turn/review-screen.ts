// One hunk of a turn at a time, as `git add -p` does: keep, discard, split, edit, comment. Each answer is saved before the next
// question, so leaving, or losing the terminal, loses nothing.
import {
  canSplitItem,
  editItem,
  type ReviewItem,
  restoreHunk,
  setTaken,
  splitItem,
  writeDiff,
} from '@codelab/protocol';
import { diffText } from '../approval/diff-text.ts';
import { editHunk } from '../review/edit-hunk.ts';
import { askKey } from '../terminal/ask-line.ts';
import type { Tty } from '../terminal/open-terminal.ts';
import { showPages } from '../terminal/pager.ts';
import { pickFromList } from '../terminal/pick-from-list.ts';
import { select } from '../terminal/select.ts';
import { addComment } from './comment-line.ts';
import { isFileViewed, markViewed, type ReviewProgress } from './review-state.ts';
import { fileTitle, nameOf } from './review-text.ts';

export type ReviewContext = {
  terminal: Tty;
  signal: AbortSignal;
  save(state: ReviewProgress): void;
};

const meanings: Record<string, string> = {
  k: 'keep this hunk',
  d: 'discard it',
  s: 'split it into smaller ones',
  e: 'edit it by hand, then keep it',
  r: 'restore it as the agent wrote it',
  c: 'comment on a line, or edit the comment there; the agent gets all comments as one message',
  f: 'discard the whole file',
  v: 'viewed: keep the rest of this file, go to the next',
  b: 'back to the hunk before',
  l: 'list the files, go to one',
  q: 'leave; everything is saved',
  '?': 'this help',
};

/** The place of the next question, or how the questions ended. */
type Step = { state: ReviewProgress; at: number } | 'left';

/** Asks about the hunks from `start` on; `isLeft` when the user leaves before the last one. */
export async function askHunks(
  reviewing: ReviewContext,
  initialState: ReviewProgress,
  start: number,
): Promise<{ state: ReviewProgress; isLeft: boolean }> {
  let state = initialState;
  let shownFile = -1;
  for (let at = start; at < state.picks.items.length; ) {
    const item = state.picks.items[at] as ReviewItem;
    const key = await ask(reviewing, state, { item, at, isNewFile: item.file !== shownFile });
    shownFile = item.file;
    const step = await answer(reviewing, { state, at, item }, key);
    if (step === 'left') return { state, isLeft: true };
    const isMoved = step.at !== at;
    if (step.state !== state) reviewing.save(step.state);
    if (isMoved && state.picks.items[step.at]?.file !== item.file) shownFile = -1;
    ({ state, at } = step);
  }
  return { state, isLeft: false };
}

/** The first hunk of the first file that is not viewed; undefined when all are viewed. */
export function firstUnviewed(state: ReviewProgress): number | undefined {
  const at = state.picks.items.findIndex(({ file }) => !isFileViewed(state, file));
  return at < 0 ? undefined : at;
}

type Asked = { state: ReviewProgress; at: number; item: ReviewItem };

async function answer(reviewing: ReviewContext, question: Asked, key: string | undefined): Promise<Step> {
  const { state, at, item } = question;
  const { picks } = state;
  switch (key) {
    case 'k':
    case 'd': {
      const newPicks = setTaken(picks, key === 'k', (pick) => pick === item);
      return goOn({ ...state, picks: newPicks }, at);
    }
    case 'f': {
      const newPicks = setTaken(picks, false, ({ file }) => file === item.file);
      return nextFile(markViewed({ ...state, picks: newPicks }, item.file), item.file);
    }
    case 'v':
      return nextFile(markViewed(state, item.file), item.file);
    case 's':
      return { state: { ...state, picks: splitItem(picks, item.key) }, at };
    case 'r':
      return { state: { ...state, picks: restoreHunk(picks, item.number) }, at: firstOf(picks.items, item) };
    case 'e': {
      const hunk = item.hunk && (await editHunk(reviewing.terminal, item.hunk, () => wantsAgain(reviewing)));
      return hunk === undefined
        ? { state, at }
        : goOn({ ...state, picks: editItem(picks, item.key, hunk) }, at);
    }
    case 'c':
      return { state: await addComment(reviewing, state, item), at };
    case 'b':
      return { state, at: Math.max(0, at - 1) };
    case 'l':
      return { state, at: (await pickFile(reviewing, state)) ?? at };
    case '?':
      explain(reviewing.terminal, keysFor(question));
      return { state, at };
    default:
      return 'left';
  }
}

/** A file counts as viewed when its last hunk is decided. */
function goOn(state: ReviewProgress, at: number): Step {
  const { items } = state.picks;
  const file = items[at]?.file ?? -1;
  return { state: items[at + 1]?.file === file ? state : markViewed(state, file), at: at + 1 };
}

/** The first hunk of the next file that is not viewed, or the end when there is none. */
function nextFile(state: ReviewProgress, file: number): Step {
  const { items } = state.picks;
  const at = items.findIndex((candidate) => candidate.file > file && !isFileViewed(state, candidate.file));
  return { state, at: at < 0 ? items.length : at };
}

function firstOf(items: readonly ReviewItem[], { number }: ReviewItem): number {
  return items.findIndex((candidate) => candidate.number === number);
}

function keysFor({ state, at, item }: Asked): string[] {
  const isFixed = state.found.files[item.file]?.gone !== undefined;
  const isOffered = (key: string): boolean => {
    switch (key) {
      case 'd':
      case 'f':
        return !isFixed;
      case 's':
        return !isFixed && canSplitItem(item);
      case 'e':
        return !isFixed && item.hunk !== undefined;
      case 'r':
        return item.isPart || item.isEdited;
      case 'c':
        return item.hunk !== undefined;
      case 'b':
        return at > 0;
      default:
        return true;
    }
  };
  return Object.keys(meanings).filter(isOffered);
}

type Question = { item: ReviewItem; at: number; isNewFile: boolean };

async function ask(
  { terminal, signal }: ReviewContext,
  state: ReviewProgress,
  { item, at, isNewFile }: Question,
): Promise<string | undefined> {
  const { paint, size } = terminal;
  const columns = size().columns - 3;
  const title = isNewFile ? ['', ...fileTitle(state, item.file, { paint, columns })] : [''];
  const lines = [...title, ...hunkLines(state, item, { columns, paint })];
  await showPages(terminal, { lines: lines.map((line) => `  ${line}`), reserve: 2, signal });
  const keys = keysFor({ state, at, item });
  const unit = item.hunk === undefined ? 'change' : 'hunk';
  const now = item.isTaken ? (item.isEdited ? ', edited' : '') : ', discarded';
  const place = `(${at + 1}/${state.picks.items.length}${now})`;
  const prompt = paint(['bold', 'blue'], `${place} Keep this ${unit} [${keys.join(',')}]? `);
  return await askKey(terminal, { prompt, keys, signal });
}

type Look = { columns: number; paint: Tty['paint'] };

function hunkLines({ found, comments }: ReviewProgress, { hunk, file }: ReviewItem, setting: Look): string[] {
  const { paint } = setting;
  if (hunk === undefined) return [];
  const text = writeDiff([{ header: [], hunks: [hunk] }]);
  const diff = { text, additions: 0, deletions: 0, hunks: 1, truncated: false };
  const { newStart, newLines, oldStart, oldLines } = hunk;
  const isHere = (line: number, side: 'old' | 'new'): boolean =>
    side === 'new'
      ? line >= newStart && line < newStart + Math.max(1, newLines)
      : line >= oldStart && line < oldStart + Math.max(1, oldLines);
  const commented = comments.filter(
    ({ path, line, side }) => path === found.files[file]?.path && isHere(line, side),
  );
  return [
    ...diffText(diff, setting),
    ...commented.map(({ line, side, text: words }) =>
      paint('magenta', `  # line ${side === 'old' ? '−' : ''}${line}: ${words.replaceAll(/\s+/g, ' ')}`),
    ),
  ];
}

async function pickFile(
  { terminal, signal }: ReviewContext,
  state: ReviewProgress,
): Promise<number | undefined> {
  const { files } = state.found;
  const file = await pickFromList(terminal, {
    title: 'Which file?',
    items: files.map((file, at) => ({
      label: `${isFileViewed(state, at) ? '✓' : '·'} ${nameOf(file)}`,
      value: at,
    })),
    signal,
  });
  const at = state.picks.items.findIndex((item) => item.file === file);
  return at < 0 ? undefined : at;
}

async function wantsAgain({ terminal, signal }: ReviewContext): Promise<boolean> {
  const choices = [
    { key: 'e', label: 'Edit again', value: true },
    { key: 'b', label: 'Back', hint: 'discard the edit', value: false },
  ];
  return (await select(terminal, { choices, footer: () => 'A letter, then Enter', signal })) ?? false;
}

function explain({ output, paint }: Tty, keys: readonly string[]): void {
  output.write(paint('red', `${keys.map((key) => `${key} - ${meanings[key]}`).join('\n')}\n`));
}
