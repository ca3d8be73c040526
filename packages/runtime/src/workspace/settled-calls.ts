// A process that cannot be seen from here may only have been paused when its call was settled as dead. It finds a note under the lock
// before it changes anything, and leaves the files alone.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';

const ending = '.settled';
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** To be called under the commit lock, before anything is recovered. `slot` names the call. */
export function noteSettled(home: string, slot: string): void {
  mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folderOf(home)))
    if (name.endsWith(ending)) removeOld(join(folderOf(home), name));
  writeFileSync(join(folderOf(home), `${slot}${ending}`), '', { mode: 0o600 });
}

/** To be called under the commit lock, before anything is changed. */
export function refuseSettled(home: string, slot: string): void {
  if (!existsSync(join(folderOf(home), `${slot}${ending}`))) return;
  const text =
    'This call was paused for so long that it was settled as interrupted. Nothing was changed; call again.';
  throw new ToolError('CANCELLED', text);
}

function removeOld(file: string): void {
  const { mtimeMs } = statSync(file);
  if (Math.abs(Date.now() - mtimeMs) > keptMs) rmSync(file, { force: true });
}

function folderOf(home: string): string {
  return join(home, 'owners');
}
