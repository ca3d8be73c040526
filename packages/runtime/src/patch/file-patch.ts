import { ToolError } from '@codelab/protocol';
import type { Hunk } from './unified-diff.ts';

/** `section` is the text after the second `@@`, which git takes from the nearest function above. */
export type PatchHunk = Hunk & { section?: string };

/** Bytes that `git diff --binary` wrote, deflated as they stand there; the hashes are those of the whole files as git's blobs. */
export type BinaryPatch = {
  oldHash: string;
  newHash: string;
  method: 'literal' | 'delta';
  /** Of what is inflated: the new file, or the delta that makes it. */
  size: number;
  deflated: Buffer;
  /** As they stand in the patch, to be written again. */
  lines: string[];
};

/** What was overlooked when the lines of a patch were compared with those of a file. */
export type Tolerance = 'line endings' | 'trailing whitespace' | 'look-alike punctuation';

/** Both names in a plain diff, null for `/dev/null`; `isPrefixed`: they bore `a/` and `b/`, which were taken off. */
export type PlainNames = { old: string | null; new: string | null; isPrefixed: boolean };

/**
 * What a patch does to one file. The path is null on the side where there is no file; modes are git's
 * (0o100644, 0o100755, 0o120000) and stand only where the patch names them, for a created or deleted file always.
 */
export type FilePatch = {
  oldPath: string | null;
  newPath: string | null;
  operation: 'create' | 'delete' | 'update' | 'rename' | 'copy';
  oldMode?: number;
  newMode?: number;
  hunks: PatchHunk[];
  /** The header says that it is a symbolic link; its text is the target. */
  isLink?: true;
  /** In place of hunks. */
  binary?: BinaryPatch;
  /** Of a plain diff: which file it means, and whether that is new, only the files that exist can tell. */
  names?: PlainNames;
  /** Found when the places of its hunks were looked for. */
  tolerant?: Tolerance[];
};

/** What stands above the hunks of one file; `next` is the first line after it. */
export type FileHeader = Omit<FilePatch, 'hunks'> & {
  /** Every header line ends with `\r`, as in a patch that was mailed with such line ends. */
  isCrlf: boolean;
  /** The header ends with `---` and `+++`, so hunks must follow. */
  promisesHunks: boolean;
  next: number;
};

/** The one failure of reading or applying a patch, with the place in the patch in front of the message. */
type Place = {
  path?: string;
  /** Numbered from 1 within the file. */
  hunk?: number;
  /** Line of the patch, numbered from 1. */
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
  const where = parts.length === 0 ? '' : `${parts.join(', ')}: `;
  return new ToolError('PATCH_APPLY_FAILED', `${where}${message}`, { ...place, ...details });
}

/** A hostile patch may hold names and lines of any length; a message does not. */
function clip(text: string): string {
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}

export function checkFileCount(files: readonly FilePatch[], most: number): void {
  const count = new Set(files.map(({ oldPath, newPath }) => newPath ?? oldPath)).size;
  if (count <= most) return;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `The patch changes ${count} files; at most ${most} are changed by one. Send it in parts.`,
    { files: count, max_files: most },
  );
}
