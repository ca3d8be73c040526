// The two configuration files, the user's and the workspace's: read, checked setting by setting, and changed one setting at a time.
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PolicyMode, policyModes, ToolError } from '@codelab/protocol';
import { openCommitLock, randomId, readWorkspaceText } from '@codelab/runtime';
import { Config } from './config.ts';
import { type ConfigFault, faultsIn } from './config-faults.ts';
import { brokenLine, withoutSetting, withSetting } from './jsonc-text.ts';
import { parseJsonc, readOwnText, workspaceConfigPath, writeOwnText } from './state-file.ts';

export type ConfigScope = 'user' | 'workspace';

export type ConfigFile = {
  scope: ConfigScope;
  /** The path of the file, whether it exists or not. */
  file: string;
  text: string | undefined;
  /** The sections that have no fault. */
  config: Config;
  faults: readonly ConfigFault[];
};

type Places = { home: string; root: string };

export function configFiles({ home, root }: Places): [user: ConfigFile, workspace: ConfigFile] {
  const text = readWorkspaceText(root, workspaceConfigPath);
  const file = join(root, workspaceConfigPath);
  return [readUserFile(home), { scope: 'workspace', file, ...checked(text, workspaceConfigPath) }];
}

export function readUserFile(home: string): ConfigFile {
  const file = join(home, 'config.json');
  return { scope: 'user', file, ...checked(readOwnText(file), file) };
}

type Checked = Pick<ConfigFile, 'text' | 'config' | 'faults'>;

/** `name` is how messages name the file. */
function checked(text: string | undefined, name: string): Checked {
  if (text === undefined) return { text, config: {}, faults: [] };
  let value: unknown;
  try {
    value = parseJsonc(text, `${name}:${brokenLine(text) ?? 1}`);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return {
      text,
      config: {},
      faults: [{ section: '', file: name, line: undefined, message: error.message }],
    };
  }
  const parsed = Config().safeParse(value, { reportInput: true });
  if (parsed.success) return { text, config: parsed.data, faults: [] };
  const faults = faultsIn(parsed.error.issues, { file: name, text });
  return { text, config: soundPart(value), faults };
}

function soundPart(value: unknown): Config {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const sound = entries.flatMap(([key, one]) => {
    const parsed = Config().safeParse({ [key]: one });
    return parsed.success ? [parsed.data] : [];
  });
  return Object.assign({}, ...sound) as Config;
}

/**
 * Settings without which calls are still judged and bounded as the user wants. A fault in one of them fails only what needs it; a
 * fault anywhere else, or in what nobody can tell, could be a rule that denies, so nothing runs.
 */
const spared: readonly string[] = ['$schema', 'mcp', 'lsp', 'audit', 'model', 'providers'];

/** What to tell of the faults that calls can do without; throws when there are others. */
export function sparedFaults(faults: readonly ConfigFault[]): string[] {
  const grave = faults.filter(({ section }) => !spared.includes(section));
  if (grave.length > 0) throw invalidConfig(grave);
  return faults.map(({ message }) => `${message} The setting is not used.`);
}

function invalidConfig(faults: readonly ConfigFault[]): ToolError {
  const [first, ...more] = faults;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more: \`codelab doctor\` lists them)`;
  return new ToolError('INVALID_ARGUMENTS', `${first?.message ?? ''}${rest}`, {
    ...(first && { file: first.file, line: first.line }),
  });
}

type Change = Places & { scope: ConfigScope };

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
  const { faults } = checked(text, file);
  if (faults.length > 0) throw invalidConfig(faults);
}

function writeWorkspaceConfig(root: string, text: string): void {
  const file = join(root, workspaceConfigPath);
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
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

// The workspace's configuration as it applies in one of its worktrees. The checked-out file may differ from the one the user trusted: then nothing
// that loosens counts from either file, and whatever one of them tightens applies.

/** `isTrustable`: the text is the one that the user's trust can be about. */
export type ProjectFiles = { user: ConfigFile; workspace: ConfigFile; isTrustable: boolean };

/** `worktree` is the folder the agent works in, when it is not `root` itself. */
export type ConfigPlaces = { home: string; root: string; worktree?: string | undefined };

export function projectFiles({ home, root, worktree }: ConfigPlaces): ProjectFiles {
  const [user, workspace] = configFiles({ home, root });
  if (worktree === undefined || readWorkspaceText(worktree, workspaceConfigPath) === workspace.text)
    return { user, workspace, isTrustable: true };
  const [, own] = configFiles({ home, root: worktree });
  return {
    user,
    workspace: {
      ...workspace,
      text: own.text ?? workspace.text,
      config: stricter(workspace.config, own.config),
      faults: [...workspace.faults, ...own.faults],
    },
    isTrustable: false,
  };
}

function stricter(a: Config, b: Config): Config {
  const rules = [...(a.policy?.rules ?? []), ...(b.policy?.rules ?? [])];
  const mode = strictest([a.policy?.mode, b.policy?.mode]);
  const terminal = [a.terminal, b.terminal].includes(false) ? { terminal: false } : {};
  const sandbox = [a.sandbox, b.sandbox].includes('required') ? { sandbox: 'required' as const } : {};
  return { ...a, ...b, policy: { rules, ...(mode && { mode }) }, ...terminal, ...sandbox };
}

function strictest(modes: readonly (PolicyMode | undefined)[]): PolicyMode | undefined {
  return policyModes.find((mode) => modes.includes(mode));
}
