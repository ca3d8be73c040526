// A review as text: the list of files with marks and counts, a summary line, and a line for the current file.

import { visibleLine } from '@codelab/protocol';
import type { Paint } from '../output/paint.ts';
import { cutToWidth, displayWidth, wrapText } from '../output/text-width.ts';
import { countOf } from '../output/units.ts';
import { stagedLines } from '../undo/still-staged.ts';
import type { DiscardOutcome, ReviewedFileState } from './review-source.ts';
import { changeTotals, countReview, isFileViewed, type ReviewProgress } from './review-state.ts';

type Setting = { paint: Paint; columns: number };

export function reviewTitle(state: ReviewProgress, { paint }: Pick<Setting, 'paint'>): string {
  const { turn } = state.found;
  const { files, viewed, added, removed, comments } = countReview(state);
  const facts = [
    countOf(files, 'file'),
    linesText(added, removed),
    `${viewed} of ${files} viewed`,
    ...(comments > 0 ? [countOf(comments, 'comment')] : []),
  ];
  const subject = turn === null ? 'this session' : `turn ${turn}`;
  return `${paint('bold', `Review of ${subject}`)} ${paint('dim', `· ${facts.join(' · ')}`)}`;
}

/** Above a diff without a review. */
export function changesTitle({ found }: ReviewProgress, { paint }: Pick<Setting, 'paint'>): string {
  const { files, added, removed } = changeTotals(found.files);
  const subject = found.turn === null ? 'This session' : `Turn ${found.turn}`;
  return `${paint('bold', subject)} ${paint('dim', `· ${countOf(files, 'file')} · ${linesText(added, removed)}`)}`;
}

const mostLosses = 5;

/** Changes that no hunk shows and undo can't restore. */
export function lossLines(losses: readonly string[], { paint, columns }: Setting): string[] {
  const hidden = losses.length - mostLosses;
  return [
    ...losses
      .slice(0, mostLosses)
      .flatMap((note) => wrapText(`! ${visibleLine(note)}`, columns).map((line) => paint('yellow', line))),
    ...(hidden > 0
      ? [
          paint(
            'yellow',
            `! ${countOf(hidden, 'more loss', 'more losses')}; codelab review --json lists them`,
          ),
        ]
      : []),
  ];
}

/** A viewed file has a `✓` before it. */
export function fileLines(state: ReviewProgress, { paint, columns }: Setting): string[] {
  const { files } = state.found;
  const counts = files.map((file) => changeText(file));
  const countWidth = Math.max(0, ...counts.map(displayWidth));
  const noteRoom = 26;
  const maxWidth = Math.max(12, columns - countWidth - noteRoom - 8);
  const width = Math.min(maxWidth, Math.max(0, ...files.map((file) => displayWidth(nameOf(file)))));
  return files.map((file, at) => {
    const isViewed = isFileViewed(state, at);
    const name = cutToWidth(nameOf(file), width);
    const gap = ' '.repeat(Math.max(0, width - displayWidth(name)));
    const count = (counts[at] ?? '').padStart(countWidth);
    const mark = isViewed ? paint('green', '✓') : paint('dim', '·');
    const line = `${mark} ${isViewed ? paint('dim', name) : name}${gap}  ${paint('dim', count)}`;
    return `  ${line}  ${paint('yellow', cutToWidth(picksOf(state, at), noteRoom))}`.trimEnd();
  });
}

function picksOf({ found, picks, comments }: ReviewProgress, at: number): string {
  const file = found.files[at];
  const items = picks.items.filter((item) => item.file === at);
  const discarded = items.filter(({ isTaken }) => !isTaken).length;
  const commentCount = comments.filter(({ path }) => path === file?.path).length;
  const isAllDiscarded = discarded === items.length && items.length > 0;
  return [
    ...(isAllDiscarded ? ['discard'] : discarded > 0 ? [`discard ${discarded} of ${items.length}`] : []),
    ...(commentCount > 0 ? [countOf(commentCount, 'comment')] : []),
    ...(file?.gone === undefined ? [] : ['can’t be discarded']),
  ].join(', ');
}

/** The file that the hunks below belong to. */
export function fileTitle({ found }: ReviewProgress, at: number, { paint, columns }: Setting): string[] {
  const file = found.files[at];
  if (file === undefined) return [];
  const place = `${at + 1} of ${found.files.length}`;
  const notes = [
    ...(file.note === undefined ? [] : [file.note]),
    ...(file.gone === undefined ? [] : [`It can’t be discarded: ${file.gone}`]),
    ...(file.uncertain ? ['It changed while a command ran; it is unknown who changed it.'] : []),
    ...(file.truncated
      ? ['The diff is too long to be shown here; the file is kept or discarded as a whole.']
      : []),
    ...(file.binary ? ['A binary file: kept or discarded as a whole.'] : []),
    ...(file.mode === undefined ? [] : [`Permissions: ${file.mode.before} → ${file.mode.after}`]),
    ...(file.types === undefined ? [] : [`Type: ${typesText(file.types)}`]),
  ];
  const name = cutToWidth(nameOf(file), Math.max(10, columns - displayWidth(changeText(file)) - 14));
  return [
    `${paint(['bold'], name)} ${paint('dim', `· ${changeText(file)} · file ${place}`)}`,
    ...notes.map((note) => paint('yellow', `  ${visibleLine(note)}`)),
  ];
}

export function nameOf({ path, from }: Pick<ReviewedFileState, 'path' | 'from'>): string {
  return from === undefined ? visibleLine(path) : `${visibleLine(from)} → ${visibleLine(path)}`;
}

type EntryTypes = NonNullable<ReviewedFileState['types']>;

const typeWords: Record<NonNullable<EntryTypes['after']>['type'], string> = {
  text: 'text file',
  binary: 'binary file',
  file: 'file that is too large to compare',
  symlink: 'symbolic link',
  directory: 'folder',
  other: 'special file',
};

function typesText({ before, after }: EntryTypes): string {
  return [before, after]
    .flatMap((count) => (count === null ? [] : [count]))
    .map(({ type, target }) => (target === undefined ? typeWords[type] : `${typeWords[type]} to ${target}`))
    .join(' → ');
}

const words: Partial<Record<ReviewedFileState['op'], string>> = {
  create: 'new',
  delete: 'deleted',
  move: 'moved',
  mkdir: 'new folder',
};

function changeText({ op, added, removed, binary }: ReviewedFileState): string {
  const word = words[op];
  const lines = binary || (added ?? 0) + (removed ?? 0) === 0 ? '' : linesText(added ?? 0, removed ?? 0);
  return [...(word === undefined ? [] : [word]), ...(lines === '' ? [] : [lines])].join(' ') || 'changed';
}

export function linesText(added: number, removed: number): string {
  return `+${added} −${removed}`;
}

/** The result of a discard, file by file. */
export function discardLines(
  { discarded, refused, undo, still_staged: staged = [] }: DiscardOutcome,
  { paint }: Pick<Setting, 'paint'>,
): string[] {
  return [
    ...discarded.map(
      ({ path, hunks }) =>
        `${paint('green', '✔')} ${visibleLine(path)}: discarded ${countOf(hunks.length, 'hunk')}`,
    ),
    ...refused.map(({ path, reason }) =>
      paint('yellow', `✘ ${visibleLine(path)}: not discarded. ${visibleLine(reason)}`),
    ),
    ...stagedLines(staged).map((line) => paint('yellow', line)),
    ...(discarded.length > 0 && undo !== undefined ? [paint('dim', `To undo the discard: ${undo}`)] : []),
  ];
}
