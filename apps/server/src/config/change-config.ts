// Changes a configuration file one setting at a time: the text is checked before it is written, under the lock of the state folder.
import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { ensureFolder, openCommitLock, randomId } from '@codelab/runtime';
import {
  type ConfigScope,
  checkedConfig,
  configFiles,
  invalidConfig,
  type UserAndWorkspace,
} from './config-files.ts';
import { withoutSetting, withSetting } from './jsonc-text.ts';
import { parseJsonc, workspaceConfigPath, writeOwnText } from './state-file.ts';

type Change = UserAndWorkspace & { scope: ConfigScope };

/** An undefined value removes the setting. Returns false when there was nothing to remove. */
export async function changeSetting(
  place: Change,
  path: readonly string[],
  value: unknown,
): Promise<boolean> {
  return await changeConfigText(place, (text, file) => {
    // A setting can be located only in a valid text.
    parseJsonc(text, file);
    return value === undefined ? withoutSetting(text, path) : withSetting(text, path, value);
  });
}

/** Writes what `change` makes of the text, if it is a valid configuration; undefined changes nothing. */
export async function changeConfigText(
  { home, root, scope }: Change,
  change: (text: string, file: string) => string | undefined,
): Promise<boolean> {
  using lock = openCommitLock(home);
  return await lock.hold(() => {
    const [user, workspace] = configFiles({ home, root });
    const { file, text } = scope === 'user' ? user : workspace;
    const changed = change(text ?? '{}\n', file);
    if (changed === undefined) return false;
    checkConfigText(changed, file);
    if (scope === 'user') writeOwnText(file, changed);
    else writeWorkspaceConfig(root, changed);
    return true;
  });
}

/** Throws when the text is no valid configuration. */
export function checkConfigText(text: string, file: string): void {
  const { faults } = checkedConfig(text, file);
  if (faults.length > 0) throw invalidConfig(faults);
}

function writeWorkspaceConfig(root: string, text: string): void {
  const file = join(root, workspaceConfigPath);
  const folder = dirname(file);
  ensureFolder(folder, 0o777);
  // The target of a link does not belong to this workspace.
  if (!lstatSync(folder).isDirectory())
    throw new ToolError('NOT_A_DIRECTORY', `${folder} is not a folder. Put a folder there.`, {
      path: folder,
    });
  const temporary = `${file}.${randomId()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
