// `/name arguments`, typed in the chat or passed to `codelab run`: the user's own command becomes its prompt, and sets options of its turn.
// From a workspace's command, a stricter mode always applies, a model when the user trusts the workspace's configuration, a profile instead
// of the default one, and a looser mode never.
import { ToolError } from '@codelab/protocol';
import { defaultProfile, type LoadedCommand, listCommands, typedCommand } from '@codelab/runtime';
import { type ComposeOptions, loadConfig } from '@codelab/server';
import { commonOptions } from '../command-line/define-command.ts';

type PolicyMode = NonNullable<ComposeOptions['mode']>;

export type CommandTurn = {
  text: string;
  model?: string;
  profile?: string;
  mode?: PolicyMode;
  /** A notice for the user when the words are not their own. */
  notice?: string;
};

/** `mode` is the one in force, when it is not that of the configuration; `profile` the role, when it is not the default. */
type Places = { home: string; root: string; mode?: PolicyMode | undefined; profile?: string | undefined };

/** The name and the arguments; undefined when the text does not look like a command. */
export function splitCommand(text: string): { name: string; rest: string } | undefined {
  const [, name, rest = ''] = /^\/([a-z0-9][a-z0-9-]{0,63})(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, rest: rest.trim() };
}

/** Undefined when there is no such command; throws the reason when its file can't be read. */
export async function readOwnCommand(text: string, places: Places): Promise<CommandTurn | undefined> {
  const commandLine = splitCommand(text);
  if (commandLine === undefined) return undefined;
  const { commands, problems } = listCommands(places);
  const command = commands.find(({ name }) => name === commandLine.name);
  if (command !== undefined)
    return { text: typedCommand(command, commandLine.rest), ...(await settingsOf(command, places)) };
  const problem = problems.find((text) => new RegExp(`(^|/)${commandLine.name}\\.md\\b`).test(text));
  if (problem !== undefined) throw new ToolError('INVALID_FORMAT', problem);
  return undefined;
}

export function commandNames(places: Places): string[] {
  return listCommands(places).commands.map(({ name }) => name);
}

async function settingsOf(command: LoadedCommand, places: Places): Promise<Omit<CommandTurn, 'text'>> {
  const { source, path, model, profile } = command;
  const mode = modeOf(command);
  if (source === 'user')
    return { ...(profile && { profile }), ...(model && { model }), ...(mode && { mode }) };
  const { home, root } = places;
  // A command must not replace a role that the user chose because it may do less.
  const isUsual = (places.profile ?? defaultProfile) === defaultProfile;
  const config = await loadConfig({ home, root, mode: places.mode, env: process.env });
  const isTrusted = config.workspace === 'trusted';
  const ignored = [
    ...(profile !== undefined && !isUsual
      ? [`its profile ${profile}; the role stays ${places.profile}`]
      : []),
    ...(model !== undefined && !isTrusted
      ? [`its model ${model} (trust it with \`codelab policy trust\`)`]
      : []),
    ...(mode !== undefined && isStricter(config.personMode, mode)
      ? [`its mode ${mode}, which is less strict`]
      : []),
  ];
  const ignoredNote = ignored.length === 0 ? '' : ` Ignored: ${ignored.join(' and ')}.`;
  return {
    ...(profile && isUsual && { profile }),
    ...(model && isTrusted && { model }),
    ...(mode && isStricter(mode, config.personMode) && { mode }),
    notice: `This prompt comes from ${path} of the workspace.${ignoredNote}`,
  };
}

function isStricter(a: PolicyMode, other: PolicyMode): boolean {
  const fromStrict: readonly string[] = commonOptions.mode.choices;
  return fromStrict.indexOf(a) < fromStrict.indexOf(other);
}

function modeOf({ mode, path }: LoadedCommand): PolicyMode | undefined {
  if (mode === undefined) return undefined;
  const policyMode = commonOptions.mode.choices.find((choice) => choice === mode);
  if (policyMode !== undefined) return policyMode;
  const names = commonOptions.mode.choices.join(', ');
  throw new ToolError(
    'INVALID_FORMAT',
    `${path}: \`mode\` must be one of ${names}; a role is a \`profile\`.`,
  );
}
