import { ToolError } from '@codelab/protocol';
import type { Hunk } from './unified-diff.ts';

/** `section` is the text after the second `@@`; git fills in the nearest function above the hunk. */
export type PatchHunk = Hunk & { section?: string };

/** Bytes that `git diff --binary` wrote, still deflated; the hashes are git's blob hashes of the whole files. */
export type BinaryPatch = {
  oldHash: string;
  newHash: string;
  method: 'literal' | 'delta';
  /** Inflated size of the new file, or of the delta that makes the new file. */
  size: number;
  deflated: Buffer;
  /** The encoded lines of the patch, to be written out again. */
  lines: string[];
};

/** Differences that were ignored when the lines of a patch were compared with those of a file. */
export type Tolerance = 'line endings' | 'trailing whitespace' | 'look-alike punctuation';

/** Both names in a plain diff, null for `/dev/null`; `isPrefixed`: the names had `a/` and `b/`, which were removed. */
export type PlainNames = { old: string | null; new: string | null; isPrefixed: boolean };

/** A patch's change to one file. A path is null on the side without a file; modes are git's, set where the patch names them. */
export type FilePatch = {
  oldPath: string | null;
  newPath: string | null;
  operation: 'create' | 'delete' | 'update' | 'rename' | 'copy';
  oldMode?: number;
  newMode?: number;
  hunks: PatchHunk[];
  /** The header declares a symbolic link; the text is the link's target. */
  isLink?: true;
  /** Replaces the hunks of a binary file. */
  binary?: BinaryPatch;
  /** Names of a plain diff: which file is meant, and whether it is new, depends on the files that exist. */
  names?: PlainNames;
  /** Differences that were ignored when the hunks were placed. */
  tolerant?: Tolerance[];
};

/** The lines above the hunks of one file; `next` is the first line after them. */
export type FileHeader = Omit<FilePatch, 'hunks'> & {
  /** Every header line ends with `\r`, as in a patch that was mailed with CRLF. */
  isCrlf: boolean;
  /** The header ends with `---` and `+++`, so hunks must follow. */
  promisesHunks: boolean;
  next: number;
};

/** Where in the patch reading or applying failed; the message starts with this place. */
type Place = {
  path?: string;
  /** Number within the file, from 1. */
  hunk?: number;
  /** Line of the patch, from 1. */
  patchLine?: number;
};

export function patchFailure(
  message: string,
  place: Place = {},
  details: Record<string, unknown> = {},
): ToolError {
  const { path, hunk, patchLine } = place;
  const parts: string[] = [];
  if (path !== undefined) parts.push(clip(path));
  if (hunk !== undefined) parts.push(`hunk ${hunk}`);
  if (patchLine !== undefined) parts.push(`line ${patchLine} of the patch`);
  const position = parts.length === 0 ? '' : `${parts.join(', ')}: `;
  return new ToolError('PATCH_APPLY_FAILED', `${position}${message}`, { ...place, ...details });
}

/** A hostile patch may hold names and lines of any length, so an error message shortens them. */
function clip(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}

export function checkFileCount(files: readonly FilePatch[], limit: number): void {
  const count = new Set(files.map(({ oldPath, newPath }) => newPath ?? oldPath)).size;
  if (count <= limit) return;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `The patch changes ${count} files; at most ${limit} are changed by one. Send it in parts.`,
    { files: count, max_files: limit },
  );
}
