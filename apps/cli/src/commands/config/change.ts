// `codelab config set|unset|edit`: changes one of the two files. An invalid configuration is not written.
import '../../shared.ts';
import { parseJson, ToolError, visibleLine } from '@codelab/protocol';
import {
  type ConfigScope,
  changeConfigText,
  changeSetting,
  checkConfigText,
  configFiles,
  loadConfig,
  type SettingSchema,
  schemaAt,
} from '@codelab/server';
import { commonOptions, defineCommand, UsageError } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { shownValue, valueText } from '../../config/settings.ts';
import { checkKey, places } from './show.ts';

const { workspace, json } = commonOptions;
const scope = {
  ...commonOptions.scope,
  summary: 'your own file, or the one of this workspace (default: user)',
} as const;

export const configSet = defineCommand({
  words: 'KEY VALUE',
  takes: { min: 2, max: 2 },
  about: `Changes one setting. VALUE is text, or JSON for numbers, lists and objects. Comments in the file are kept. A value that is
not valid is rejected.`,
  options: { scope, workspace, json },
  examples: [
    'codelab config set policy.mode balanced',
    'codelab config set limits.commands 4',
    `codelab config set mcp.servers.files '{"command":"mcp-files","args":["."]}'`,
  ],
  async run({ words: [key = '', text = ''], options }) {
    checkKey(key);
    const value = readValue(key, text);
    const at = { ...places(options.workspace), scope: scopeOf(options.scope) };
    await changeSetting(at, key.split('.'), value);
    const shownAs = shownValue(key, value);
    const message = `${key} is now ${valueText(shownAs)}, in ${visibleLine(fileOf(at))}\n${await trustNote(at)}`;
    writeText(1, options.json ? `${JSON.stringify({ key, value: shownAs, file: fileOf(at) })}\n` : message);
    return 0;
  },
});

export const configUnset = defineCommand({
  words: 'KEY',
  takes: { min: 1, max: 1 },
  about: 'Removes one setting from the file. Exit code 1 when it is not set there.',
  options: { scope, workspace, json },
  examples: ['codelab config unset policy.mode'],
  async run({ words: [key = ''], options }) {
    const at = { ...places(options.workspace), scope: scopeOf(options.scope) };
    const isRemoved = await changeSetting(at, key.split('.'), undefined);
    const message = isRemoved ? `Removed ${key} from` : `${key} is not set in`;
    const text = `${visibleLine(message)} ${visibleLine(fileOf(at))}\n`;
    if (options.json) writeText(1, `${JSON.stringify({ key, removed: isRemoved, file: fileOf(at) })}\n`);
    else writeText(isRemoved ? 1 : 2, text);
    return isRemoved ? 0 : 1;
  },
});

export const configEdit = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Opens the configuration file in your editor (VISUAL or EDITOR). Invalid changes are not saved: you see the error and can edit
again.`,
  options: { scope, workspace },
  async run({ options }) {
    const at = { ...places(options.workspace), scope: scopeOf(options.scope) };
    const { openTty } = await import('../../terminal/open-terminal.ts');
    const { openEditorDraft } = await import('../../terminal/editor-draft.ts');
    using terminal = openTty({ isInsisted: true });
    if (terminal === undefined)
      throw new UsageError('There is no terminal for an editor. `codelab config set KEY VALUE` needs none.');
    const before = configFiles(at).find(({ scope: fileScope }) => fileScope === at.scope)?.text;
    using draft = openEditorDraft(terminal, { name: 'config.json', text: before ?? '{\n}\n' });
    for (;;) {
      const text = await draft.edit();
      const problem = faultOf(text, fileOf(at));
      if (problem === undefined) {
        if (text === before) writeText(1, 'Nothing was changed.\n');
        else await keep(at, { before, text });
        return 0;
      }
      writeText(2, `codelab: ${visibleLine(problem)}\n`);
      const { askLine } = await import('../../terminal/ask-line.ts');
      const answer = await askLine(terminal, {
        prompt: 'Edit it again? [Y/n] ',
        signal: new AbortController().signal,
      });
      if (answer === undefined || /^n/i.test(answer)) {
        writeText(1, 'Nothing was changed.\n');
        return 1;
      }
    }
  },
});

type At = { home: string; root: string; scope: ConfigScope };

async function keep(at: At, { before, text }: { before: string | undefined; text: string }): Promise<void> {
  await changeConfigText(at, (now) => {
    if (now !== (before ?? '{}\n'))
      throw new ToolError('STALE', 'The file was changed while you edited it. Edit it again.');
    return text;
  });
  writeText(1, `Written: ${visibleLine(fileOf(at))}\n${await trustNote(at)}`);
}

function faultOf(text: string, file: string): string | undefined {
  try {
    checkConfigText(text, file);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

function scopeOf(text: string | undefined): ConfigScope {
  return text === 'workspace' ? 'workspace' : 'user';
}

function fileOf(at: At): string {
  return configFiles(at).find(({ scope: fileScope }) => fileScope === at.scope)?.file ?? '';
}

async function trustNote(at: At): Promise<string> {
  if (at.scope === 'user') return '';
  const { workspace: state } = await loadConfig({ ...at, mode: undefined, env: {} });
  return state === 'trusted'
    ? ''
    : 'Until you run `codelab policy trust`, this workspace’s settings can only tighten policy.\n';
}

/** Text where the setting is text; else JSON, where a bare word stands for itself. */
function readValue(key: string, text: string): unknown {
  const schema = schemaAt(key.split('.'));
  if (schema !== undefined && isText(schema)) return text;
  try {
    return parseJson(text, { bytes: 1024 * 1024, depth: 32 });
  } catch {
    const expected = schema?.type === undefined ? 'JSON' : `JSON (${schema.type})`;
    throw new UsageError(`${key} takes ${expected}, not ${JSON.stringify(text)}.`);
  }
}

function isText(schema: SettingSchema): boolean {
  return schema.type === 'string' || (schema.enum?.every((value) => typeof value === 'string') ?? false);
}
