// Saves typed text that was not sent, for the next chat in the same workspace. Text that begins with a space is not saved, as in the history.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolder, sha256 } from '@codelab/runtime';

export type UnsentStore = {
  /** Saves the text shortly after the latest change; an empty text removes the file. */
  keep(text: string): void;
  /** Writes pending changes to disk. */
  flush(): void;
  /** The texts of chats that are gone, latest first; each is returned once. */
  take(): string;
};

const afterMs = 300;
const longest = 1_000_000;
const oldestMs = 14 * 24 * 3600 * 1000;

export function openUnsentStore(home: string, root: string): UnsentStore {
  const folder = join(home, 'unsent');
  const prefix = sha256(root).slice(0, 16);
  const file = join(folder, `${prefix}-${process.pid}`);
  let [text, written] = ['', ''];
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (text === written) return;
    written = text;
    try {
      if (text === '') rmSync(file, { force: true });
      else write(folder, file, text);
    } catch {
      // A full disk must not keep the user from typing.
    }
  }
  return {
    keep(draft) {
      text = draft.trim() === '' || draft.startsWith(' ') || draft.length > longest ? '' : draft;
      timer ??= setTimeout(flush, afterMs);
    },
    flush,
    take: () => takeLeft(folder, prefix),
  };
}

function write(folder: string, file: string, text: string): void {
  ensureFolder(folder);
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function takeLeft(folder: string, prefix: string): string {
  const names = namesIn(folder).filter((name) => name.startsWith(`${prefix}-`) && !isRunning(name));
  const abandoned = names.flatMap((name) => {
    const file = join(folder, name);
    try {
      const { mtimeMs } = statSync(file);
      const text = readFileSync(file, 'utf8');
      rmSync(file, { force: true });
      return name.endsWith('.new') || Date.now() - mtimeMs > oldestMs ? [] : [{ mtimeMs, text }];
    } catch {
      // A second chat that starts at the same moment has already taken the text.
      return [];
    }
  });
  return abandoned
    .toSorted((a, b) => b.mtimeMs - a.mtimeMs)
    .map(({ text }) => text)
    .join('\n');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(name: string): boolean {
  const pid = Number(/-(\d+)(?:\.new)?$/.exec(name)?.[1]);
  if (!Number.isInteger(pid) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
