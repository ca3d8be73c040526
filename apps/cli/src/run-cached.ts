// Runs a script with the code that V8 compiled in an earlier process. Node's compile cache holds a file as it was when it was loaded, without
// the functions that are called later: compiling those takes a fifth of the time to the first model request.
// The build puts this in front of the core (scripts/core-script.ts).
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** Commands call different functions, so frequent commands have a cache of their own; rare ones share one. */
const kinds = ['run', 'chat', 'tool', 'mcp', 'serve'];

export function runCached(file: string): unknown {
  const cache = cacheOf(file);
  const cachedData = cache === undefined ? undefined : readIfThere(cache);
  // ASCII alone, which V8 uses without a copy. V8 compares only the length of the source, so the file's name has its hash.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  // V8 has checked its version, flags and lengths.
  if (cache !== undefined && script.cachedDataRejected !== false)
    process.once('exit', () => keep(cache, script));
  return script.runInThisContext();
}

/** Beside Node's own cache, in a folder of this Node version and this user; undefined where there is none. */
function cacheOf(file: string): string | undefined {
  const folder = getCompileCacheDir();
  const command = process.argv[2] ?? 'chat';
  return folder && join(folder, `${basename(file)}-${kinds.includes(command) ? command : 'other'}`);
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** V8 does not check the contents, so the file is complete on disk before it gets its name. Without the cache the next start is slower, never an error. */
function keep(file: string, script: Script): void {
  try {
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData(), { flag: 'wx', mode: 0o600, flush: true });
    renameSync(temporary, file);
    removeOld(dirname(file));
  } catch {}
}

const oldAfterMs = 30 * 24 * 60 * 60 * 1000;

/** Deletes the caches of replaced programs and the leftovers of interrupted writes. A cache that is still used is made again. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > oldAfterMs) rmSync(file, { force: true });
  }
}
