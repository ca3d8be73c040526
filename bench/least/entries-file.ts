// Makes one call of each tool as the bench makes them, and writes what the log has of it to a file, for the least gateway.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import type { Scratch } from '../scratch.ts';
import { tracesOf } from './traces.ts';

/** Returns the arguments of record-child.ts. */
export async function writeEntries(
  { root, folder }: Scratch,
  calls: Readonly<Record<string, Record<string, unknown>>>,
): Promise<string[]> {
  const home = join(folder, 'least');
  mkdirSync(home);
  await using composed = await compose({ workspace: root, home, env: {}, mode: 'trusted' });
  const entries: Record<string, unknown> = {};
  let made = 0;
  for (const [tool, args] of Object.entries(calls)) {
    const call = async (): Promise<void> => {
      const id = `c${made++}`;
      const outcome = await runCall(composed.host, { id, session: tool, tool, args, dialect: 'codelab' });
      if (outcome.status !== 'completed') throw new Error(outcome.error.message);
    };
    await call();
    entries[tool] = (await tracesOf(composed.host.log, tool, call)).bodies;
  }
  const file = join(home, 'entries.json');
  writeFileSync(file, JSON.stringify(entries));
  return [root, home, file];
}
