// `codelab config list|get|path`: the settings, their values and the source of each.
import '../../shared.ts';
import { visibleLine } from '@codelab/protocol';
import {
  type ConfigFile,
  configFiles,
  configKeys,
  defaultHome,
  loadConfig,
  schemaAt,
  unknownSetting,
} from '@codelab/server';
import { commonOptions, defineCommand, realRoot, UsageError } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { type ConfigSetting, settingsIn, shownValue, valueText } from '../../config/settings.ts';
import { paintFor } from '../../output/paint.ts';
import { columns } from '../../output/text-width.ts';

const { workspace, json } = commonOptions;
const secrets = { type: 'boolean', summary: 'show secrets in plain text' } as const;

export const configList = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Lists the settings and where each comes from. Order of precedence, lowest first: your file, the workspace's file (in full only
once it is trusted), environment variables, command-line options.`,
  options: {
    all: { type: 'boolean', summary: 'include settings that are not set' },
    'show-secrets': secrets,
    workspace,
    json,
  },
  async run({ options }) {
    const { settings, files } = await read(options.workspace);
    const shownSettings = settings.map((setting) => (options['show-secrets'] ? setting : masked(setting)));
    const faults = files.flatMap((file) => file.faults);
    for (const { message } of faults) writeText(2, `codelab: ${visibleLine(message)}\n`);
    if (options.json)
      writeText(1, `${JSON.stringify({ settings: shownSettings, files: files.map(fileOf) })}\n`);
    else writeText(1, listText(shownSettings, options.all === true));
    return faults.length === 0 ? 0 : 1;
  },
});

export const configGet = defineCommand({
  words: 'KEY',
  takes: { min: 1, max: 1 },
  about: `Prints the effective value of a setting, as JSON if it is a list or object. Exit code 1 when it is not set.`,
  options: { 'show-secrets': secrets, workspace, json },
  examples: ['codelab config get policy.mode'],
  async run({ words: [key = ''], options }) {
    checkKey(key);
    const { settings } = await read(options.workspace);
    const matches = settings.filter((setting) => setting.key === key || setting.key.startsWith(`${key}.`));
    const counting = matches.filter(({ note }) => note === undefined);
    if (counting.length === 0) {
      const unusedNote =
        matches[0]?.note === undefined ? '' : ` ${matches[0].source} sets it, ${matches[0].note}.`;
      writeText(2, `${key} is not set.${unusedNote}\n`);
      return 1;
    }
    const value = groupedValue(key, counting);
    const shownAs = options['show-secrets'] ? value : shownValue(key, value);
    const sources = [...new Set(counting.map((setting) => setting.source))];
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ key, value: shownAs, from: sources })}\n`
        : `${valueText(shownAs)}\n`,
    );
    return 0;
  },
});

export const configPath = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about:
    'Prints the paths of the configuration files, whether they exist or not: yours first, then the workspace’s.',
  options: { workspace, json },
  run({ options }) {
    const files = configFiles(places(options.workspace));
    const paths = Object.fromEntries(files.map(({ scope, file }) => [scope, file]));
    writeText(
      1,
      options.json
        ? `${JSON.stringify(paths)}\n`
        : files.map(({ file }) => `${visibleLine(file)}\n`).join(''),
    );
    return 0;
  },
});

/** Wrong usage when there is no such setting. */
export function checkKey(key: string): void {
  const path = key.split('.');
  for (let length = 1; length <= path.length; length++)
    if (schemaAt(path.slice(0, length)) === undefined)
      throw new UsageError(unknownSetting(path.slice(0, length)));
}

export function places(workspace: string | undefined): { home: string; root: string } {
  return { home: defaultHome(), root: realRoot(workspace) };
}

async function read(
  workspace: string | undefined,
): Promise<{ settings: ConfigSetting[]; files: ConfigFile[] }> {
  const at = places(workspace);
  const files = configFiles(at);
  // A faulty file is not trusted.
  const loaded = await loadConfig({ ...at, mode: undefined, env: {} }).catch(() => undefined);
  const isTrusted = loaded?.workspace === 'trusted';
  return { settings: settingsIn({ files, isTrusted, env: process.env }), files };
}

function masked(setting: ConfigSetting): ConfigSetting {
  return { ...setting, value: shownValue(setting.key, setting.value) };
}

function fileOf({ scope, file, text, faults }: ConfigFile): object {
  return { scope, file, exists: text !== undefined, faults: faults.map(({ message }) => message) };
}

/** The value of a group, built from its settings. */
function groupedValue(key: string, settings: readonly ConfigSetting[]): unknown {
  const exact = settings.find((setting) => setting.key === key);
  if (exact !== undefined) return exact.value;
  const nested: Record<string, unknown> = {};
  for (const setting of settings) {
    const path = setting.key.slice(key.length + 1).split('.');
    let at = nested;
    for (const step of path.slice(0, -1)) {
      const inner = (at[step] ?? {}) as Record<string, unknown>;
      at[step] = inner;
      at = inner;
    }
    at[path.at(-1) ?? ''] = setting.value;
  }
  return nested;
}

function listText(settings: readonly ConfigSetting[], isAll: boolean): string {
  const paint = paintFor(1);
  const set = settings.map(({ key, value, source, note }) => {
    const from = note === undefined ? source : `${source} (${note})`;
    const text = [key, valueText(value), from].map(visibleLine);
    return note === undefined ? text : text.map((cell) => paint('dim', cell));
  });
  const keys = new Set(settings.map(({ key }) => key));
  const rest = isAll ? configKeys().filter((key) => !keys.has(key)) : [];
  const unset = rest.map((key) => [paint('dim', key), paint('dim', 'not set'), '']);
  const hint = isAll
    ? []
    : ['', '`codelab config list --all` also lists unset settings: docs/configuration.md'];
  if (set.length + unset.length === 0) return `Nothing is set.\n${hint.slice(1).join('')}\n`;
  const head = ['SETTING', 'VALUE', 'FROM'].map((text) => paint('dim', text));
  return `${[...columns([head, ...set, ...unset]), ...hint].join('\n')}\n`;
}
