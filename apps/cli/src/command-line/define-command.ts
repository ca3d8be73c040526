// A command is one value: its syntax, its options as a table (also the source of the help), and its action. Options that several commands
// share are declared here once: workspace, mode, dialect, profile.

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Dialect, dialectNames, findDialect, needsRoot } from '@codelab/dialects';
import { nearestName, policyModes, ToolError, visibleLine } from '@codelab/protocol';
import { defaultProfile, type Profile } from '@codelab/runtime';
import { type ComposeOptions, defaultHome, profileSource } from '@codelab/server';
import { writeText } from './process.ts';

export { nearestName };

export type Option = {
  type: 'string' | 'boolean';
  summary: string;
  /** The placeholder of the value in the help. */
  value?: string;
  /** The value may be left out, which gives an empty one; it is given as `--name=VALUE` only. */
  isValueOptional?: true;
  choices?: readonly string[];
  /** The option may be given more than once. */
  isRepeatable?: true;
};

export type Options = Record<string, Option>;

type Single<T extends Option['type']> = T extends 'boolean' ? boolean : string;
type Value<O extends Option> = O extends { isRepeatable: true } ? string[] : Single<O['type']>;

export type ParsedCommandLine<O extends Options> = {
  words: string[];
  options: { [K in keyof O]?: Value<O[K]> };
};

type Spec<O extends Options> = {
  /** The words after the options, as the help shows them: `NAME [JSON]`. */
  words: string;
  takes: { min: number; max: number };
  about: string;
  options: O;
  examples?: readonly string[];
  /** Returns the exit code: 0 done, 1 the work failed, 130 interrupted. */
  run(given: ParsedCommandLine<O>): Promise<number> | number;
};

export type CliCommand = Spec<Options>;

export function defineCommand<const O extends Options>(spec: Spec<O>): CliCommand {
  return spec;
}

/** Parses the arguments after a command's name by the command's own table. */
export function parseCommandLine(command: CliCommand, args: readonly string[]): ParsedCommandLine<Options> {
  const { values, positionals } = parse(command, args);
  const { min, max } = command.takes;
  if (positionals.length < min) throw new UsageError(`Missing argument: ${command.words}`);
  if (positionals.length > max)
    throw new UsageError(`${JSON.stringify(positionals[max])} is an unexpected argument.`);
  for (const [name, value] of Object.entries(values)) checkChoice(name, value, command.options);
  // A command's own types are made from the same table, so the cast holds.
  return { words: positionals, options: values as ParsedCommandLine<Options>['options'] };
}

function parse(command: CliCommand, args: readonly string[]): ReturnType<typeof typed> {
  try {
    return typed(command, args);
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')))
      throw error;
    const message = error.message.split('. ')[0]?.replace(/\.?$/, '.') ?? error.message;
    const typo = /^Unknown option '-*([^'=]*)/.exec(message)?.[1];
    const near = typo && nearestName(typo, [...Object.keys(command.options), 'help']);
    throw new UsageError(near ? `${message} Did you mean --${near}?` : message);
  }
}

function typed(command: CliCommand, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, isRepeatable }]) => [
      name,
      { type, multiple: isRepeatable === true },
    ]),
  );
  return parseArgs({ args: withEmptyValues(command, args), options, allowPositionals: true, strict: true });
}

function withEmptyValues({ options }: CliCommand, args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, i) => {
    const isOption = arg.startsWith('--') && (end < 0 || i < end) && Object.hasOwn(options, arg.slice(2));
    return isOption && options[arg.slice(2)]?.isValueOptional ? `${arg}=` : arg;
  });
}

function checkChoice(name: string, value: unknown, options: Options): void {
  const choices = options[name]?.choices;
  if (choices === undefined || (typeof value === 'string' && choices.includes(value))) return;
  const near = typeof value === 'string' ? nearestName(value, choices) : undefined;
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new UsageError(`--${name} must be one of: ${choices.join(', ')}.${hint}`);
}

/** A command line that can't be understood: reported on standard error, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The workspace, the state folder and the mode, from the options and the environment. */
type Given = { workspace?: string; mode?: string };

export function composeOptions({ workspace = '.', mode }: Given): ComposeOptions {
  const onNotice = (text: string): void => writeText(2, `codelab: ${visibleLine(text)}\n`);
  const places = { workspace: resolve(workspace), home: defaultHome(), isShortLived: true, onNotice };
  const policyMode = policyModes.find((one) => one === mode);
  return policyMode === undefined ? places : { ...places, mode: policyMode };
}

/** The dialect that --dialect names. An unknown name is wrong usage, not a failed call. */
export function chooseDialect(name = 'codelab', workspace = '.'): Dialect {
  try {
    return needsRoot(name) ? findDialect(name, { root: realRoot(workspace) }) : findDialect(name);
  } catch (error) {
    throw error instanceof ToolError ? new UsageError(error.message) : error;
  }
}

/** The profile that --profile names. An unknown name is wrong usage, not a failed call. */
export async function chooseProfile(name = defaultProfile, workspace = '.'): Promise<readonly Profile[]> {
  // A profile has the same tools whether or not the workspace is trusted.
  const source = profileSource({ home: defaultHome(), root: realRoot(workspace), isTrusted: false });
  try {
    return await source.find(name);
  } catch (error) {
    if (!(error instanceof ToolError && error.code === 'INVALID_ARGUMENTS')) throw error;
    const names = (await source.all()).map((profile) => profile.name);
    throw new UsageError(`--profile must be one of: ${names.join(', ')}.`);
  }
}

/** The workspace as the core knows it: an existing folder, by its real path. */
export function realRoot(workspace = '.'): string {
  try {
    return realpathSync(resolve(workspace));
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') throw noCurrentFolder();
    throw new ToolError(
      'FILE_NOT_FOUND',
      `Folder not found: ${workspace}. Pass an existing folder with --workspace DIR.`,
    );
  }
}

export function noCurrentFolder(): ToolError {
  return new ToolError(
    'FILE_NOT_FOUND',
    'The current folder no longer exists: cd to another one, or name the workspace by its absolute path with --workspace DIR.',
  );
}

/** Options that several commands share, each declared once. */
export const commonOptions = {
  workspace: { type: 'string', value: 'DIR', summary: 'folder to work in (default: current folder)' },
  json: { type: 'boolean', summary: 'print JSON' },
  dialect: {
    type: 'string',
    value: 'NAME',
    choices: dialectNames,
    summary: 'wire format of calls and results',
  },
  profile: {
    type: 'string',
    value: 'NAME',
    summary: 'role of the agent, which sets its tools: build, plan, ask, architect, debug or one of your own',
  },
  mode: {
    type: 'string',
    value: 'MODE',
    choices: policyModes,
    summary:
      'how much runs without approval (default: strict; in chats and runs your choice for this folder, else balanced)',
  },
  scope: {
    type: 'string',
    value: 'SCOPE',
    choices: ['user', 'workspace'],
    summary: 'for all your workspaces, or for this one',
  },
} as const satisfies Options;

/** The error for an unknown command, with the most similar name; `second` where `first` is a group of commands. */
export function unknownCommand(commands: readonly string[], first: string, second?: string): UsageError {
  if (second === undefined) {
    const names = commands.map((name) => name.split(' ')[0] ?? name);
    return new UsageError(
      `There is no command ${JSON.stringify(first)}.${hint('', nearestName(first, names))} Run \`codelab --help\` for a list.`,
    );
  }
  const names = commands
    .filter((name) => name.startsWith(`${first} `))
    .map((name) => name.slice(first.length + 1));
  return new UsageError(
    `There is no \`codelab ${first} ${second}\`.${hint(`${first} `, nearestName(second, names))} There are: ${names.join(', ')}.`,
  );
}

export function notYet(name: string): UsageError {
  return new UsageError(`\`codelab ${name}\` is not available yet. Run \`codelab --help\` for a list.`);
}

function hint(before: string, near: string | undefined): string {
  return near === undefined ? '' : ` Did you mean \`codelab ${before}${near}\`?`;
}
