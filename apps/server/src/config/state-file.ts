// Small JSON files of our own: read whole, replaced whole, private to the user.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseJson, ToolError } from '@codelab/protocol';
import { ensureFolder, openCommitLock } from '@codelab/runtime';
import * as z from 'zod/mini';

export const workspaceConfigPath = '.codelab/config.json';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * Undefined when there is none. Only a file of the user's own in this very folder counts: where a link leads, a tool may write, and
 * a link that leads nowhere is no sign that there are no rules.
 */
export function readStateFile(file: string): unknown {
  const text = readOwnText(file);
  return text === undefined ? undefined : parseJsonc(text, file);
}

/** The text of a file of our own; undefined when there is none. */
export function readOwnText(file: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw refused(file, 'is a link. Put the file itself there');
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw refused(file, 'is no regular file. Move it away');
    const userId = process.geteuid?.();
    // A file of root is trusted: the administrator put it there.
    if (userId !== undefined && stat.uid !== userId && stat.uid !== 0)
      throw refused(file, 'belongs to another user. Remove it, or take it over with chown');
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function refused(file: string, why: string): ToolError {
  return new ToolError('PERMISSION_DENIED', `${file} ${why}: CodeLab reads its own files only.`, {
    path: file,
  });
}

export function writeStateFile(file: string, value: unknown): void {
  writeOwnText(file, `${JSON.stringify(value, null, 2)}\n`);
}

export function writeOwnText(file: string, text: string): void {
  ensureFolder(dirname(file));
  const temp = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const fd = openSync(temp, 'wx', 0o600);
  try {
    writeFileSync(fd, text);
    fsyncSync(fd);
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Keys, addresses and the model that were set from a screen: `keys.json` in CodeLab's own folder, for the user alone to read. */
const Shape = () =>
  z.strictObject({
    model: z.optional(z.string()),
    keys: z._default(z.record(z.string(), z.string()), {}),
    base_urls: z._default(z.record(z.string(), z.string()), {}),
  });

export type KeysFile = z.infer<ReturnType<typeof Shape>>;

export function readKeysFile(home: string): KeysFile {
  const file = fileIn(home);
  const value = readStateFile(file);
  if (value === undefined) return { keys: {}, base_urls: {} };
  const parsed = Shape().safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ToolError('INVALID_ARGUMENTS', `${file} is not a list of keys; correct or remove it.`);
}

export function writeKeysFile(home: string, value: KeysFile): void {
  writeStateFile(fileIn(home), value);
}

/** An undefined key removes the stored one, and the address that was set with it. */
export async function setKey(home: string, provider: string, key: string | undefined): Promise<void> {
  using lock = openCommitLock(home);
  await lock.hold(() => {
    const { keys, base_urls, ...rest } = readKeysFile(home);
    if (key === undefined) {
      delete keys[provider];
      delete base_urls[provider];
    } else keys[provider] = key;
    writeKeysFile(home, { ...rest, keys, base_urls });
  });
}

function fileIn(home: string): string {
  return join(home, 'keys.json');
}

/** Refuses a state folder that another user owns or can write to: they could change the settings we trust. */
const mayBeWritten = 0o022;

/** A missing folder has no owner. `what` begins the message. */
export function checkFolderOwner(folder: string, what: string): void {
  const userId = process.geteuid?.();
  if (userId === undefined) return;
  // Checks a link as well as its target.
  for (const found of [
    lstatSync(folder, { throwIfNoEntry: false }),
    statSync(folder, { throwIfNoEntry: false }),
  ])
    if (found !== undefined && found.uid !== userId)
      throw new ToolError(
        'PERMISSION_DENIED',
        `${what} (${folder}) belongs to another user. Remove it, take it over with chown, or name another state folder in CODELAB_HOME.`,
        { path: folder },
      );
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & mayBeWritten) !== 0)
    throw new ToolError(
      'PERMISSION_DENIED',
      `${what} (${folder}) is writable for other users. Check its content, then run: chmod 700 ${folder}`,
      { path: folder },
    );
}

/** The state folder: $CODELAB_HOME, or the platform's usual place for such folders. */
export function defaultHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env.CODELAB_HOME) return resolve(env.CODELAB_HOME);
  switch (process.platform) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'codelab');
    case 'win32':
      return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'codelab');
    default:
      return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'codelab');
  }
}

/** Reads JSON with comments and trailing commas; an error says what is wrong and where. */
const limits = { bytes: 1024 * 1024, depth: 32 };

export function parseJsonc(text: string, file: string): unknown {
  try {
    return parseJson(stripComments(text), limits);
  } catch (error) {
    throw new ToolError('INVALID_FORMAT', `${file}: ${error instanceof Error ? error.message : error}`);
  }
}

// Strings are matched first, so that what looks like a comment inside one stays. Everything keeps its place, for the positions that
// messages name.
function stripComments(text: string): string {
  const plain = text
    .replace(/^\ufeff/, ' ')
    .replace(
      /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (all, string: string | undefined) => string ?? all.replace(/[^\n]/g, ' '),
    );
  return plain.replace(
    /("(?:\\.|[^"\\])*")|(?<![{[,]\s*),(\s*[}\]])/g,
    (_all, string: string | undefined, end: string | undefined) => string ?? ` ${end ?? ''}`,
  );
}

/** The folder in place of a workspace, for sessions whose files a client has. */
export function emptyFolder(home: string): string {
  const folder = join(home, 'elsewhere');
  ensureFolder(folder);
  return folder;
}

/** Whether a session belongs to a gateway without files. */
export function isFilelessWorkspace(home: string, workspace: string): boolean {
  return workspace === join(realpathSync(home), 'elsewhere');
}
