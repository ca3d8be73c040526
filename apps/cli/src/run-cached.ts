// Runs a script with what V8 compiled of it in an earlier process. Node's compile cache has a file as it was when it was read, without
// the functions that are called later: compiling those is a fifth of the way to the first model request.
// The build puts this in front of the core (scripts/core-script.ts).
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** Other commands call other functions, so they keep their own; all that are rarely started share one. */
const kinds = ['run', 'chat', 'tool', 'mcp', 'serve'];

export function runCached(file: string): unknown {
  const cache = cacheOf(file);
  const cachedData = cache === undefined ? undefined : readIfThere(cache);
  // ASCII alone, which V8 then uses as it was read. V8 compares its length only, so the name has its hash.
  const script = new Script(readFileSync(file, 'latin1'), {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  // Its own version, flags and lengths V8 has looked at.
  if (cache !== undefined && script.cachedDataRejected !== false)
    process.once('exit', () => keep(cache, script));
  return script.runInThisContext();
}

/** Beside Node's own, in a folder of this Node and this user alone; undefined where there is none. */
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

/** V8 does not check its contents: it is whole on the disk before it has its name. Without it the next start is slower, never an error. */
function keep(file: string, script: Script): void {
  try {
    const temporary = `${file}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData(), { flag: 'wx', mode: 0o600, flush: true });
    renameSync(temporary, file);
    removeOld(dirname(file));
  } catch {}
}

const oldAfterMs = 30 * 24 * 60 * 60 * 1000;

/** Of programs that were replaced since, and halves of a write that was cut off. What is still used is made again. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > oldAfterMs) rmSync(file, { force: true });
  }
}
