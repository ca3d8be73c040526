// One piece of a diff at a time, in the manner of `git add -p`. Returns the pieces taken; undefined when left with Escape.
import { type DiffFile, splitHunk, writeDiff } from '@codelab/protocol';
import type { Asking } from '../approval/asking.ts';
import { diffText } from '../approval/diff-text.ts';
import { askKey } from '../terminal/ask-key.ts';
import { showPages } from '../terminal/show-pages.ts';
import { editHunk } from './edit-hunk.ts';
import type { Piece } from './piece.ts';

const meanings: Record<string, string> = {
  y: 'take this hunk',
  n: 'leave it',
  a: 'take it and all later ones',
  d: 'leave it and all later ones',
  s: 'split it into smaller ones',
  e: 'edit it by hand, then take it',
  q: 'quit: nothing more is taken',
  '?': 'this help',
};

type Options = {
  files: readonly DiffFile[];
  /** Whether a part of a hunk can be taken, or an edited one. */
  canChange: boolean;
};

export async function reviewHunks(asking: Asking, options: Options): Promise<Piece[] | undefined> {
  const taken: Piece[] = [];
  let queue = piecesOf(options.files);
  for (let seen = 0; queue.length > 0; ) {
    const [piece, ...later] = queue as [Piece, ...Piece[]];
    const keys = keysFor(piece, options.canChange);
    const place = `(${seen + 1}/${seen + queue.length})`;
    const key = await ask(asking, { piece, keys, place });
    if (key === undefined) return undefined;
    if (key === 'a') return [...taken, ...queue];
    if (key === 'd' || key === 'q') return taken;
    const chosen = key === 'y' ? piece : key === 'e' ? await edited(asking, piece) : undefined;
    if (chosen !== undefined) taken.push(chosen);
    if (key === '?') explain(asking, keys);
    if (key === 's') queue = [...split(piece), ...later];
    if (key !== 'n' && chosen === undefined) continue;
    queue = later;
    seen++;
  }
  return taken;
}

/** Numbered from 1 across files; a file without hunks counts as one. */
function piecesOf(files: readonly DiffFile[]): Piece[] {
  return files
    .flatMap((file) => (file.hunks.length === 0 ? [undefined] : file.hunks).map((hunk) => ({ file, hunk })))
    .map((piece, i) => ({ ...piece, number: i + 1 }));
}

function keysFor(piece: Piece, canChange: boolean): string[] {
  const canEdit = canChange && piece.hunk !== undefined;
  const canSplit = canEdit && split(piece).length > 1;
  return Object.keys(meanings).filter((key) => (key === 's' ? canSplit : key === 'e' ? canEdit : true));
}

function split(piece: Piece): Piece[] {
  return piece.hunk === undefined ? [piece] : splitHunk(piece.hunk).map((hunk) => ({ ...piece, hunk }));
}

type Question = { piece: Piece; keys: readonly string[]; place: string };

async function ask(asking: Asking, { piece, keys, place }: Question): Promise<string | undefined> {
  const { terminal, signal } = asking;
  const { paint } = terminal;
  const { file, hunk } = piece;
  const text = writeDiff([{ header: file.header, hunks: hunk === undefined ? [] : [hunk] }]);
  const diff = { text, additions: 0, deletions: 0, hunks: 1, truncated: false };
  const lines = diffText(diff, { columns: terminal.size().columns - 3, paint });
  await showPages(terminal, { lines: ['', ...lines.map((line) => `  ${line}`)], reserve: 2, signal });
  const what = hunk === undefined ? 'change' : 'hunk';
  const prompt = paint(['bold', 'blue'], `${place} Take this ${what} [${keys.join(',')}]? `);
  return await askKey(terminal, { prompt, keys, signal });
}

function explain({ terminal: { output, paint } }: Asking, keys: readonly string[]): void {
  const lines = keys.map((key) => `${key} - ${meanings[key]}`);
  output.write(paint('red', `${[...lines, 'Esc - back, nothing is decided'].join('\n')}\n`));
}

async function edited(asking: Asking, piece: Piece): Promise<Piece | undefined> {
  const hunk = piece.hunk && (await editHunk(asking, piece.hunk));
  return hunk && { ...piece, hunk };
}
