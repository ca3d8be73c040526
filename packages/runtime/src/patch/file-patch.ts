import type { Hunk } from './hunks.ts';

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
};
