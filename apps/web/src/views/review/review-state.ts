import { canSplit, type DiffFile, type DiffHunk, readDiff, splitHunk } from '@codelab/protocol';
// A review as a value: the files of a diff, and the pieces one decides about. Each step gives a new one.

/** What is decided about at once: a hunk, a part of one, or a file that changes without hunks. */
export type Piece = {
  key: string;
  file: number;
  /** The number of the whole hunk in the diff, from 1 across files. */
  number: number;
  hunk: DiffHunk | undefined;
  isTaken: boolean;
  isEdited: boolean;
};

export type ReviewState = {
  files: readonly DiffFile[];
  pieces: readonly Piece[];
  /** How many hunks there are in the diff as it was given. */
  total: number;
};

/** Everything is taken at first: one takes out what one does not want. */
export function startReview(text: string): ReviewState {
  const files = readDiff(text);
  const pieces = files
    .flatMap((file, at) => (file.hunks.length === 0 ? [undefined] : file.hunks).map((hunk) => ({ at, hunk })))
    .map(({ at, hunk }, i): Piece => {
      const number = i + 1;
      return { key: `${number}`, file: at, number, hunk, isTaken: true, isEdited: false };
    });
  return { files, pieces, total: pieces.length };
}

export function toggle(state: ReviewState, key: string): ReviewState {
  return change(state, (piece) => (piece.key === key ? { ...piece, isTaken: !piece.isTaken } : piece));
}

export function take(state: ReviewState, isTaken: boolean, file?: number): ReviewState {
  return change(state, (piece) =>
    file === undefined || piece.file === file ? { ...piece, isTaken } : piece,
  );
}

export function split(state: ReviewState, key: string): ReviewState {
  const pieces = state.pieces.flatMap((piece) => {
    if (piece.key !== key || piece.hunk === undefined || !canSplit(piece.hunk)) return [piece];
    return splitHunk(piece.hunk).map((hunk, i) => ({ ...piece, key: `${key}.${i + 1}`, hunk }));
  });
  return { ...state, pieces };
}

/** An edited piece is wanted, or one would not have edited it. */
export function edit(state: ReviewState, key: string, hunk: DiffHunk): ReviewState {
  return change(state, (piece) =>
    piece.key === key ? { ...piece, hunk, isTaken: true, isEdited: true } : piece,
  );
}

/** The hunk as it was given, whole and taken. */
export function restore(state: ReviewState, number: number): ReviewState {
  const whole = wholeHunks(state.files)[number - 1];
  const first = state.pieces.findIndex((piece) => piece.number === number);
  const pieces = state.pieces.flatMap((piece, at) => {
    if (piece.number !== number) return [piece];
    return at === first ? [{ ...piece, key: `${number}`, hunk: whole, isEdited: false, isTaken: true }] : [];
  });
  return { ...state, pieces };
}

export function isChanged({ files, pieces }: ReviewState, number: number): boolean {
  const own = pieces.filter((piece) => piece.number === number);
  return own.length !== 1 || own[0]?.hunk !== wholeHunks(files)[number - 1];
}

export function isFileTaken({ pieces }: ReviewState, file: number): boolean | 'mixed' {
  const own = pieces.filter((piece) => piece.file === file);
  const taken = own.filter(({ isTaken }) => isTaken).length;
  return taken === 0 ? false : taken === own.length ? true : 'mixed';
}

/** The hunks of all files by their numbers; a file without any counts as one. */
export function wholeHunks(files: readonly DiffFile[]): (DiffHunk | undefined)[] {
  return files.flatMap<DiffHunk | undefined>(({ hunks }) => (hunks.length === 0 ? [undefined] : hunks));
}

function change(state: ReviewState, map: (piece: Piece) => Piece): ReviewState {
  return { ...state, pieces: state.pieces.map(map) };
}
