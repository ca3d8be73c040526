// The input history of this and earlier chats: JSON lines in a private file. Text that begins with a space is not saved.
import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type History = { entries: readonly string[]; add(text: string): void };

const maxEntries = 1000;
const maxBytes = 512 * 1024;
const longestKept = 20_000;

export function openHistory(home: string): History {
  const file = join(home, 'chat-history.jsonl');
  const entries = read(file);
  return {
    entries,
    add(text) {
      if (text.trim() === '' || text.startsWith(' ') || text.length > longestKept || entries.at(-1) === text)
        return;
      entries.push(text);
      try {
        appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 });
      } catch {
        // A full disk must not keep the user from chatting.
      }
    },
  };
}

function read(file: string): string[] {
  const { text, isWhole } = readEnd(file);
  const entries = text.split('\n').flatMap(entryOf);
  const latest = entries.slice(-maxEntries);
  if (!isWhole || entries.length > maxEntries * 2) shorten(file, latest);
  return latest;
}

function readEnd(file: string): { text: string; isWhole: boolean } {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const count = readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return { text: bytes.toString('utf8', 0, count), isWhole: size <= maxBytes };
  } catch {
    return { text: '', isWhole: true };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

// The first line may have been cut in two; lines that are no JSON string are left out.
function entryOf(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'string' ? [entry] : [];
  } catch {
    return [];
  }
}

function shorten(file: string, entries: readonly string[]): void {
  try {
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // The file stays long until the next start.
  }
}
