// Turns an error of the operating system into one of our codes, with the path as the caller spelled it.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { type Effect, type ErrorCode, resourceLimit, ToolError } from '@codelab/protocol';

const codes: Record<string, [ErrorCode, string]> = {
  ENOENT: ['FILE_NOT_FOUND', 'File not found'],
  EACCES: ['PERMISSION_DENIED', 'The operating system denies access to'],
  EPERM: ['PERMISSION_DENIED', 'The operating system denies access to'],
  EROFS: ['PERMISSION_DENIED', 'The file system is read-only'],
  ENOSPC: ['NO_SPACE', 'No space left on the disk for'],
  EDQUOT: ['NO_SPACE', 'The disk quota is used up for'],
  EFBIG: ['NO_SPACE', 'The file would be larger than this system allows'],
  EISDIR: ['NOT_REGULAR_FILE', 'Not a regular file'],
  ENOTDIR: ['NOT_A_DIRECTORY', 'Not a directory'],
  ENXIO: ['NOT_REGULAR_FILE', 'Not a regular file'],
  EEXIST: ['ALREADY_EXISTS', 'Already exists'],
  ENOTEMPTY: ['DIRECTORY_NOT_EMPTY', 'The directory is not empty'],
  ENAMETOOLONG: ['INVALID_PATH', 'The path is too long'],
  ELOOP: ['INVALID_PATH', 'Too many symbolic links'],
  EXDEV: [
    'IO_ERROR',
    'The two places are on different file systems, or a container shows a folder of its image, which cannot be moved. Move or delete the files in it one by one, or mount the workspace as a volume',
  ],
};

export function errno(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The ToolError for a failed system call; a ToolError passes through. */
export function fault(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const code = errno(error);
  if (code === undefined) throw error;
  const [ours, text] = codes[code] ?? (['IO_ERROR', 'Reading or writing failed'] as const);
  return limitFault(error) ?? new ToolError(ours, `${text}: ${path}`, { errno: code });
}

/** Runs file operations and turns the errors they throw into tool errors that name the path. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fault(error, path);
  }
}

// SQLite's codes for a file that it could not open or use; the code does not say why.
const storeCodes = [14, 10];
/** The number of files that SQLite opens at once; it closes them again when it cannot have all. */
const storeFiles = 6;

/** The ToolError for a failure by lack of descriptors, processes or memory; undefined for any other. */
export function limitFault(error: unknown): ToolError | undefined {
  const isStore = error instanceof Error && 'errcode' in error;
  if (!isStore) return resourceLimit(error);
  return storeCodes.includes(Number(error.errcode) % 256) ? whyNothingOpens() : undefined;
}

function whyNothingOpens(): ToolError | undefined {
  const opened: number[] = [];
  try {
    while (opened.length < storeFiles) opened.push(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    return resourceLimit(error);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** A failure after which something is changed nevertheless: the changes are recorded with the error, so that they can be undone. */
export class FailedWithEffects extends ToolError {
  readonly effects: readonly Effect[];
  constructor({ code, message, details }: ToolError, effects: readonly Effect[]) {
    super(code, message, details);
    this.effects = effects;
  }
}

/** Undefined when nothing is at the path any more. */
export function unlessGone<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  }
}
