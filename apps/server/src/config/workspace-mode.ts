// The mode a person chose for a workspace on their first start there: `modes.json` in CodeLab's own folder. The terminal and the page
// read and write the same one.
import { join } from 'node:path';
import { type PolicyMode, policyModes } from '@codelab/protocol';
import { openCommitLock } from '@codelab/runtime';
import { readStateFile, writeStateFile } from './state-file.ts';

/** Undefined until the user has chosen. `root` is the real path of the workspace. */
export function workspaceMode(home: string, root: string): PolicyMode | undefined {
  const modes = readModes(home);
  return Object.hasOwn(modes, root) ? modes[root] : undefined;
}

/** An undefined mode removes the choice, so that the next start asks again. */
export async function setWorkspaceMode(
  home: string,
  root: string,
  mode: PolicyMode | undefined,
): Promise<void> {
  using lock = openCommitLock(home);
  await lock.hold(() => {
    const { [root]: _old, ...others } = readModes(home);
    writeStateFile(join(home, 'modes.json'), mode === undefined ? others : { ...others, [root]: mode });
  });
}

// An entry that is no mode counts as no choice: the person is asked again.
function readModes(home: string): Record<string, PolicyMode> {
  const value = readStateFile(join(home, 'modes.json'));
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, PolicyMode] => isMode(entry[1])));
}

function isMode(value: unknown): value is PolicyMode {
  return policyModes.some((mode) => mode === value);
}
