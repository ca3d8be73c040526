// Turns an error of the operating system into one of our codes, with the path as the caller spelled it.
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { type Effect, type ErrorCode, resourceLimit, ToolError } from '@codelab/protocol';

const checkMode = '. Check its owner and mode with `ls -ld`, then try again';
const freeSpace = '. Free some space, then try again';
const otherDevice =
  'The two places are on different file systems, or a container shows a folder of its image, which cannot be moved. Move or delete the files in it one by one, or mount the workspace as a volume';

const codes: Record<string, [ErrorCode, string, string?]> = {
  ENOENT: ['FILE_NOT_FOUND', 'File not found'],
  EACCES: ['PERMISSION_DENIED', 'The operating system denies access to', checkMode],
  EPERM: ['PERMISSION_DENIED', 'The operating system denies access to', checkMode],
  EROFS: ['PERMISSION_DENIED', 'The file system is read-only', '. Mount it writable, or work in a copy'],
  ENOSPC: ['NO_SPACE', 'No space left on the disk for', freeSpace],
  EDQUOT: ['NO_SPACE', 'The disk quota is used up for', freeSpace],
  EFBIG: ['NO_SPACE', 'The file would be larger than this system allows'],
  EISDIR: ['NOT_REGULAR_FILE', 'Not a regular file'],
  ENOTDIR: ['NOT_A_DIRECTORY', 'Not a directory'],
  ENXIO: ['NOT_REGULAR_FILE', 'Not a regular file'],
  EEXIST: ['ALREADY_EXISTS', 'Already exists'],
  ENOTEMPTY: ['DIRECTORY_NOT_EMPTY', 'The directory is not empty'],
  ENAMETOOLONG: ['INVALID_PATH', 'The path is too long'],
  ELOOP: ['INVALID_PATH', 'Too many symbolic links'],
  EXDEV: ['IO_ERROR', otherDevice],
};

export function errno(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The ToolError for a failed system call; a ToolError passes through. */
export function fault(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const code = errno(error);
  if (code === undefined) throw error;
  const [ours, text, step = ''] = codes[code] ?? ['IO_ERROR', 'Reading or writing failed'];
  return limitFault(error) ?? new ToolError(ours, `${text}: ${path}${step}`, { errno: code });
}

/** Runs file operations and turns the errors they throw into tool errors that name the path. */
export function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fault(error, path);
  }
}

/** The number of files that SQLite opens at once; it closes them again when it cannot have all. */
const storeFiles = 6;

/** The ToolError for a lack of descriptors, processes or memory; undefined for other errors. */
export function limitFault(error: unknown): ToolError | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return resourceLimit(error);
  // SQLite could not open or use a file; its code does not say why.
  return [14, 10].includes(Number(error.errcode) % 256) ? whyNothingOpens() : undefined;
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

/** A failure after some changes were made: they are recorded with the error, so that they can be undone. */
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
