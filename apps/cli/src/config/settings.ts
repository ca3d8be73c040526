// The settings of both files and of the environment, each with its source and whether it is in effect.
import { type ConfigFile, lineOf, workspaceConfigPath } from '@codelab/server';

export type ConfigSetting = {
  key: string;
  value: unknown;
  from: 'user' | 'workspace' | 'environment';
  /** The file and line, or the variable. */
  source: string;
  /** Why the setting is not in effect, or not in full. */
  note?: string;
};

type Given = {
  files: readonly ConfigFile[];
  isTrusted: boolean;
  env: NodeJS.ProcessEnv;
};

const variables: Record<string, string> = { CODELAB_MODE: 'policy.mode', CODELAB_MODEL: 'model' };
const usersOwn =
  /^(?:audit|notifications|sandbox_shows|environment|limits\.(?:reads|changes|commands))(?:\.|$)/;

/** In the order of their keys; for one key, the setting in effect comes first. */
export function settingsIn({ files, isTrusted, env }: Given): ConfigSetting[] {
  const rows = [
    ...Object.entries(variables).flatMap(([name, key]): ConfigSetting[] => {
      const value = env[name];
      return value ? [{ key, value, from: 'environment', source: name }] : [];
    }),
    ...files.toReversed().flatMap((file) => settingsOf(file, { isTrusted, mode: modeOf(files) })),
  ];
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return sorted.map((row, i) => withNote(row, sorted.slice(0, i)));
}

type Standing = { isTrusted: boolean; mode: string };

function settingsOf({ scope, file, text, config }: ConfigFile, trustState: Standing): ConfigSetting[] {
  if (text === undefined) return [];
  const name = scope === 'user' ? file : workspaceConfigPath;
  return leaves(config).map(({ path, value }) => {
    const key = path.join('.');
    const row: ConfigSetting = { key, value, from: scope, source: `${name}:${lineOf(text, path)}` };
    if (scope === 'user') return row;
    if (usersOwn.test(key)) return { ...row, note: 'not used: only your own file can set it' };
    const note = noteOn(row, trustState);
    return note === undefined ? row : { ...row, note };
  });
}

const modes = ['trusted', 'review', 'balanced', 'strict'];

function modeOf(files: readonly ConfigFile[]): string {
  return files.find(({ scope }) => scope === 'user')?.config.policy?.mode ?? 'strict';
}

/** The settings that an untrusted workspace may make, as `loadConfig` decides. */
function noteOn({ key, value }: ConfigSetting, { isTrusted, mode }: Standing): string | undefined {
  if (isTrusted || (key === 'sandbox' && value === 'required')) return undefined;
  if (key === 'policy.mode' && modes.indexOf(String(value)) > modes.indexOf(mode)) return undefined;
  return key === 'policy.rules'
    ? 'not trusted: its allow rules are ignored'
    : 'not trusted: it can only tighten policy';
}

function withNote(row: ConfigSetting, before: readonly ConfigSetting[]): ConfigSetting {
  const winner = before.find(({ key, note }) => key === row.key && note === undefined);
  if (winner === undefined || row.note !== undefined || row.key === 'policy.rules') return row;
  return { ...row, note: `overridden by ${winner.source}` };
}

type Leaf = { path: string[]; value: unknown };

function leaves(value: object, path: readonly string[] = []): Leaf[] {
  return Object.entries(value).flatMap(([name, child]): Leaf[] => {
    if (name === '$schema') return [];
    const at = [...path, name];
    const isGroup = typeof child === 'object' && child !== null && !Array.isArray(child);
    return isGroup ? leaves(child, at) : [{ path: at, value: child }];
  });
}

const secretGroup = /^mcp\.servers\.[^.]+\.(?:env|headers)\./;
const secretName = /(?:^|[._-])(?:api_?key|key|token|secret|password|authorization)$/i;
const hidden = '••••••';

/** The value as it may be shown: a value that is or may hold a secret is hidden. The name of a variable, `${NAME}`, is no secret. */
export function shownValue(key: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (/^\$\{\w+\}$/.test(value)) return value;
    if (secretGroup.test(`${key}.`) || secretGroup.test(key) || secretName.test(key)) return hidden;
    return value.replace(/^(https?:\/\/[^?#\s]*)\?[^#\s]*/, `$1?${hidden}`);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, i) => shownValue(`${key}.${i}`, item));
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, shownValue(`${key}.${name}`, child)]),
  );
}

export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
