// Records begun calls and their results in a file of lines: a call is on the disk before it runs, so that a restart does not repeat it. For
// one process at a time.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import * as z from 'zod/mini';
import type { ToolResult } from '../api/tool-calls.ts';
import type { ExecutionStore } from '../tools/execution-store.ts';

const maxKept = 10_000;
// A longer result is not stored: after a restart the outcome of that call is unknown.
const maxResult = 1024 * 1024;

const Line = () => z.object({ key: z.string(), result: z.optional(z.custom<ToolResult>(isObject)) });
type Line = z.infer<ReturnType<typeof Line>>;

export type JournalStore = ExecutionStore & Disposable;

export function openJournalStore(file: string): JournalStore {
  const results = new Map(readLines(file).map(({ key, result }) => [key, result]));
  while (results.size > maxKept) results.delete(results.keys().next().value ?? '');
  rewrite(file, results);
  const fd = openSync(file, 'a', 0o600);
  const append = (line: Line): void => {
    writeSync(fd, `${JSON.stringify(line)}\n`);
    fsyncSync(fd);
  };
  return {
    async begin(key) {
      if (!results.has(key)) {
        append({ key });
        results.set(key, undefined);
        if (results.size > maxKept) results.delete(results.keys().next().value ?? '');
        return undefined;
      }
      const result = results.get(key);
      return result === undefined ? {} : { result };
    },
    async end(key, result) {
      results.set(key, result);
      if (JSON.stringify(result).length <= maxResult) append({ key, result });
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}

// The last line may be cut; a call whose line was cut had not run.
function readLines(file: string): Line[] {
  return textOf(file)
    .split('\n')
    .flatMap((text) => {
      try {
        return [Line().parse(JSON.parse(text))];
      } catch {
        return [];
      }
    });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isObject(error) && error.code === 'ENOENT') return '';
    throw error;
  }
}

function rewrite(file: string, results: ReadonlyMap<string, ToolResult | undefined>): void {
  const lines = [...results].map(([key, result]) => `${JSON.stringify({ key, result })}\n`);
  const temporary = `${file}.new`;
  writeFileSync(temporary, lines.join(''), { mode: 0o600, flush: true });
  renameSync(temporary, file);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
