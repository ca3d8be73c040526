// A separate process that works on a session log.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const source = pathToFileURL(join(import.meta.dirname, '../../apps/server/src/log/sqlite/sqlite-log.ts'));

/** The arguments of a Node that runs `body`; it has `log`, opened in the folder `home`. */
export function logScript(home: string, body: string): string[] {
  const script = `
    const { openSqliteLog } = await import(${JSON.stringify(source.href)});
    const log = openSqliteLog(${JSON.stringify(home)});
    ${body}`;
  return ['--input-type=module', '-e', script];
}

export async function expectExit(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The process ended with ${code}.`);
}
