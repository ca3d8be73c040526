// Turns an error of the operating system into one of our codes, with the path as the caller spelled it.
import { accessSync, closeSync, constants, existsSync, openSync, readdirSync, statfsSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
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

/** The same for a change to the workspace, which also writes to the state folder: a full disk of that one is not one of the file. */
export function changeFault(error: unknown, path: string, places: StatePlaces): ToolError {
  const { home, workspace } = places;
  const found = fault(error, path);
  if (found.code !== 'NO_SPACE' || !fullCodes.includes(String(found.details?.errno))) return found;
  return freeBytes(home) < freeBytes(workspace.root.real) ? fullState(home) : found;
}

export type StatePlaces = { home: string; workspace: { root: { real: string } } };

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
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

// What an error of the system or of SQLite means when CodeLab uses its own state folder, and what to do about it.

/** Undefined for an error that has nothing to do with the state folder, or that only a defect explains. */
export function stateFault(error: unknown, home: string): ToolError | undefined {
  if (!(error instanceof Error) || error instanceof ToolError) return undefined;
  return 'errcode' in error
    ? storeFault(Number(error.errcode) & 0xff, error, home)
    : systemFault(error, home);
}

function systemFault(error: Error, home: string): ToolError | undefined {
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  if (path !== undefined && !isOneIn(path, home) && !isOneIn(home, path)) return undefined;
  const code = errno(error) ?? '';
  if (path === undefined && !(fullCodes.includes(code) && isFull(home))) return undefined;
  // A file that is missing is a defect; a folder that can't be made is not.
  if (code === 'ENOENT' && !('syscall' in error && error.syscall === 'mkdir')) return undefined;
  return causeFault(code, path ?? home, home);
}

function isOneIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const fullCodes = ['ENOSPC', 'EDQUOT'];

function causeFault(code: string, path: string, home: string): ToolError | undefined {
  if (fullCodes.includes(code)) return fullState(home);
  const cause = causes[code]?.(path);
  if (cause === undefined) return undefined;
  return new ToolError(
    'IO_ERROR',
    `CodeLab can't write to its state folder ${home}: ${cause}, or name another folder in CODELAB_HOME.`,
  );
}

const denied = (path: string): string =>
  `the operating system denies access to ${path}. Check its owner and mode with \`ls -ld\``;
const notFolder = (path: string): string =>
  existsSync(path) ? `${path} is not a folder. Move it away` : notFolder(dirname(path));

const causes: Readonly<Record<string, (path: string) => string>> = {
  EROFS: () => 'its file system is read-only. Mount it writable',
  EACCES: denied,
  EPERM: denied,
  ENOTDIR: notFolder,
  EEXIST: notFolder,
  ENOENT: (path) => `the system can't make the folder ${path}. Make it yourself`,
};

function fullState(home: string): ToolError {
  return new ToolError(
    'NO_SPACE',
    `No space is left on the disk of CodeLab’s state folder ${home}. Free some there, or move what you need out of ${join(home, 'trash')}, which holds deleted files for undo. Nothing was acknowledged.`,
  );
}

/** Whether SQLite calls the content of a file damaged. */
export function isDamage(error: unknown): error is Error & { errcode: number } {
  if (!(error instanceof Error && 'errcode' in error)) return false;
  return [sqlite.corrupt, sqlite.notDatabase].includes(Number(error.errcode) & 0xff);
}

/** `isOpen`: it could be opened, so that it can be looked at. */
export function damagedLog(error: Error, file: string, isOpen = true): ToolError {
  const where = isOpen ? ' `codelab audit verify` says where.' : '';
  const text = `The session log ${file} is damaged: ${error.message}.${where} ${damageAdvice(file)}`;
  return new ToolError('LOG_DAMAGED', text);
}

/** How to go on without a log that is damaged. */
export function damageAdvice(file: string): string {
  const [folder, files] = [join(dirname(file), 'damaged-log'), `${file.replace(/\.db$/, '')}.`].map(quoted);
  return `To go on with a new log, end all CodeLab processes and run: mkdir ${folder} && mv ${files}* ${folder}. Changes that the old log records can't be undone after that; docs/audit.md says what can still be read of it.`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

const sqlite = { readOnly: 8, ioError: 10, corrupt: 11, full: 13, cantOpen: 14, notDatabase: 26 };

function storeFault(code: number, error: Error, home: string): ToolError | undefined {
  const limited = limitFault(error);
  if (limited !== undefined) return limited;
  if (code === sqlite.full) return fullState(home);
  if (isDamage(error)) return damagedLog(error, join(home, 'sessions.db'));
  if (code !== sqlite.readOnly && code !== sqlite.ioError && code !== sqlite.cantOpen) return undefined;
  const found = whyNotWritable(home);
  if (found !== undefined) return found;
  // SQLite also calls it an I/O error that a file can't grow.
  if (code === sqlite.ioError && isFull(home)) return fullState(home);
  return new ToolError(
    'IO_ERROR',
    `CodeLab can't use its state folder ${home}: ${error.message}. Look at the system log, or name another folder in CODELAB_HOME.`,
  );
}

/** Why the folder, or a file that SQLite writes in it, can't be written; SQLite's own error does not say. */
function whyNotWritable(home: string): ToolError | undefined {
  let path = home;
  try {
    accessSync(home, constants.W_OK | constants.X_OK);
    for (const name of readdirSync(home).filter((one) => /^(sessions\.db|commit\.lock)/.test(one))) {
      path = join(home, name);
      accessSync(path, constants.R_OK | constants.W_OK);
    }
    return undefined;
  } catch (error) {
    return causeFault(errno(error) ?? '', path, home);
  }
}

function isFull(folder: string): boolean {
  return freeBytes(folder) === 0;
}
