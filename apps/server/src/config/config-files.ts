// The two configuration files, the user's and the workspace's, read and checked setting by setting; and which workspace a folder belongs to.
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type PolicyMode, policyModes, type Rule, ToolError } from '@codelab/protocol';
import { ensureFolder, identity, type RuleSource, readWorkspaceText, sha256 } from '@codelab/runtime';
import { Config, RulesFile } from './config.ts';
import { type ConfigFault, faultsIn } from './config-faults.ts';
import { brokenLine } from './jsonc-text.ts';
import {
  checkFolderOwner,
  parseJsonc,
  readOwnText,
  readStateFile,
  workspaceConfigPath,
  writeStateFile,
} from './state-file.ts';

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

export type UserAndWorkspace = { home: string; root: string };

export function configFiles({ home, root }: UserAndWorkspace): [user: ConfigFile, workspace: ConfigFile] {
  const text = readWorkspaceText(root, workspaceConfigPath);
  const file = join(root, workspaceConfigPath);
  return [readUserFile(home), { scope: 'workspace', file, ...checkedConfig(text, workspaceConfigPath) }];
}

export function readUserFile(home: string): ConfigFile {
  const file = join(home, 'config.json');
  return { scope: 'user', file, ...checkedConfig(readOwnText(file), file) };
}

type Checked = Pick<ConfigFile, 'text' | 'config' | 'faults'>;

/** `name` is how messages name the file. */
export function checkedConfig(text: string | undefined, name: string): Checked {
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
  const sound = entries.flatMap(([key, entry]) => {
    const parsed = Config().safeParse({ [key]: entry });
    return parsed.success ? [parsed.data] : [];
  });
  return Object.assign({}, ...sound) as Config;
}

/**
 * Settings that do not affect how calls are judged and bounded. A fault in one of them fails only its own feature; a fault anywhere else
 * could hide a deny rule, so nothing runs.
 */
const spared: readonly string[] = ['$schema', 'mcp', 'lsp', 'audit', 'model', 'providers'];

/** Notices for faults in those settings; throws when there are others. */
export function sparedFaults(faults: readonly ConfigFault[]): string[] {
  const grave = faults.filter(({ section }) => !spared.includes(section));
  if (grave.length > 0) throw invalidConfig(grave);
  return faults.map(({ message }) => `${message} The setting is not used.`);
}

export function invalidConfig(faults: readonly ConfigFault[]): ToolError {
  const [first, ...others] = faults;
  const rest = others.length === 0 ? '' : ` (and ${others.length} more: \`codelab doctor\` lists them)`;
  return new ToolError('INVALID_ARGUMENTS', `${first?.message ?? ''}${rest}`, {
    ...(first && { file: first.file, line: first.line }),
  });
}

type KeptRules = { user: Rule[]; workspaces: Record<string, Rule[]> };

/** The rules a human asked to be remembered: `rules.json` in CodeLab's own folder, for the user and per workspace. */
export function readRulesFile(home: string): KeptRules {
  const file = join(home, 'rules.json');
  const value = readStateFile(file);
  if (value === undefined) return { user: [], workspaces: {} };
  const parsed = RulesFile().safeParse(value);
  if (!parsed.success)
    throw new ToolError('INVALID_ARGUMENTS', `${file} is not a list of rules; correct or remove it.`);
  return parsed.data;
}

// The workspace's configuration for one of its worktrees. The checked-out file may differ from the one the user trusted: then nothing that
// loosens counts from either file, and everything that tightens applies from both.

/** `isTrustable`: the text is the one that the user's trust can be about. */
export type ProjectFiles = { user: ConfigFile; workspace: ConfigFile; isTrustable: boolean };

/** `worktree` is the folder the agent works in, when it is not `root` itself. */
export type ConfigPlaces = { home: string; root: string; worktree?: string | undefined };

export function projectFiles({ home, root, worktree }: ConfigPlaces): ProjectFiles {
  const [user, workspace] = configFiles({ home, root });
  if (worktree === undefined || readWorkspaceText(worktree, workspaceConfigPath) === workspace.text)
    return { user, workspace, isTrustable: true };
  const [, ownFile] = configFiles({ home, root: worktree });
  return {
    user,
    workspace: {
      ...workspace,
      text: ownFile.text ?? workspace.text,
      config: stricter(workspace.config, ownFile.config),
      faults: [...workspace.faults, ...ownFile.faults],
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

// Notices that a file with rules was changed, by any process, by comparing its version before each judgement.

/** Returns the rules again when one of their files has changed; an error of `load` is thrown once for each version. */
export function watchRules(
  { home, root, worktree }: ConfigPlaces,
  load: () => readonly RuleSource[],
): () => readonly RuleSource[] | undefined {
  const files = [
    ...['rules.json', 'config.json', 'trust.json'].map((name) => join(home, name)),
    ...[root, worktree].flatMap((folder) => (folder ? [join(folder, workspaceConfigPath)] : [])),
  ];
  let lastVersion = versionOf(files);
  return () => {
    const version = versionOf(files);
    if (version === lastVersion) return undefined;
    lastVersion = version;
    return load();
  };
}

function versionOf(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
        return stat === undefined ? 'none' : identity(stat);
      } catch (error) {
        // An unreadable file counts as a separate version; `load` then reports the problem.
        return String(error);
      }
    })
    .join(' ');
}

// The worktrees of a workspace lie beside the state folder, which no tool may enter, and outside the workspace. The state folder records
// which workspace each of these folders belongs to.

/** The folder of a workspace's worktrees, whether it exists or not. `root` is the real path of the workspace. */
function worktreeFolder(home: string, root: string): string {
  return join(baseOf(home), keyOf(root));
}

/** Makes the folder, for the user alone, and records its workspace. */
export function makeWorktreeFolder(home: string, root: string): string {
  const folder = worktreeFolder(home, root);
  ensureFolder(folder);
  for (const newFolder of [dirname(folder), folder]) checkFolderOwner(newFolder, 'The folder of worktrees');
  // A link in the way would put the worktree somewhere else.
  if (realpathSync(folder) !== folder)
    throw new ToolError('PERMISSION_DENIED', `${folder} is reached through a link. Remove the link.`);
  writeStateFile(noteOf(home, keyOf(root)), { workspace: root });
  return folder;
}

/** The workspace that a folder is a worktree of, when CodeLab made it; undefined for any other folder. */
export function workspaceOfWorktree(home: string, path: string): string | undefined {
  const folder = dirname(path);
  if (dirname(folder) !== baseOf(home)) return undefined;
  const note = readStateFile(noteOf(home, basename(folder)));
  const { workspace } = (note ?? {}) as { workspace?: unknown };
  return typeof workspace === 'string' && worktreeFolder(home, workspace) === folder ? workspace : undefined;
}

/** A worktree that CodeLab made has the settings of the workspace it was made from. */
export function configPlaces(home: string, folder: string): ConfigPlaces {
  const root = workspaceOfWorktree(home, folder);
  return root === undefined ? { home, root: folder } : { home, root, worktree: folder };
}

/** The workspace whose settings apply in a folder: the folder itself, unless it is a worktree that CodeLab made. */
export function settingsRoot(home: string, folder: string): string {
  return existsSync(home) ? configPlaces(home, folder).root : folder;
}

/** Whether a session's folder is the workspace itself or one of its worktrees. */
export function isInProject(home: string, root: string, folder: string): boolean {
  return folder === root || dirname(folder) === worktreeFolder(home, root);
}

function baseOf(home: string): string {
  return `${realpathSync(home)}-worktrees`;
}

function noteOf(home: string, key: string): string {
  return join(home, 'worktrees', `${key}.json`);
}

/** Readable, and different for each path. */
function keyOf(root: string): string {
  return `${slug(basename(root)) || 'workspace'}-${sha256(root).slice(0, 12)}`;
}

/** A name for a folder or branch made from a text: lower-case ASCII letters, digits and hyphens; may be empty. */
export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
}
