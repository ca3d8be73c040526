// Own commands: prompts kept under a name, one Markdown file each, and sent again with other arguments. The user's are in the state
// folder, a workspace's in `.codelab/commands`; a command of the workspace never replaces one of the user.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError, visibleLine } from '@codelab/protocol';
import { entriesOf } from '../workspace/trees/tree.ts';
import { Workspace } from '../workspace/workspace.ts';
import { type FrontMatter, frontMatterFault, readFrontMatter } from './front-matter.ts';
import { folderIn, isSkillName, type SkillFolder } from './skill.ts';

export type LoadedCommand = {
  name: string;
  description: string;
  arguments: string[];
  text: string;
  source: 'user' | 'workspace';
  /** The name of its file in messages. */
  path: string;
  /** The model of the command's turn; the caller decides whether it is used. */
  model?: string;
  profile?: string;
  mode?: string;
};

export type CommandList = { commands: LoadedCommand[]; problems: string[] };

const workspaceCommands = '.codelab/commands';
const mostCommands = 200;
const maxBytes = 100 * 1024;
const maxDescription = 1024;
const mostArguments = 20;

/** The user's commands. A command that cannot be read is listed among the problems and does not hide the others. */
export function listOwnCommands(home: string): CommandList {
  const list: CommandList = { commands: [], problems: [] };
  const place = join(home, 'commands');
  if (!existsSync(place)) return list;
  using folder = folderIn(Workspace.open(place), 'user', '.');
  addCommands(list, folder);
  return list;
}

/** The user's commands, followed by those of the workspace. */
export function listCommands({ home, root }: { home: string; root: string }): CommandList {
  const list = listOwnCommands(home);
  if (!existsSync(join(root, workspaceCommands))) return list;
  using workspace = Workspace.open(root);
  using folder = folderIn(workspace, 'workspace', workspaceCommands);
  addCommands(list, folder);
  return list;
}

function addCommands(list: CommandList, folder: SkillFolder): void {
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      list.problems.push(error.message);
      return undefined;
    }
  };
  for (const name of (attempt(() => namesIn(folder)) ?? []).slice(0, mostCommands)) {
    if (list.commands.some((command) => command.name === name)) {
      list.problems.push(
        `${folder.shown(`${name}.md`)} is not used: you have a command of your own with that name.`,
      );
      continue;
    }
    const command = attempt(() => readCommand(folder, name));
    if (command !== undefined) list.commands.push(command);
  }
}

/** Replaces each `{{name}}` by its argument. Throws INVALID_ARGUMENTS when an argument is missing or unknown. */
export function fillCommand(command: LoadedCommand, args: Readonly<Record<string, string>>): string {
  const wrong =
    command.arguments.find((name) => args[name] === undefined) ??
    Object.keys(args).find((name) => !command.arguments.includes(name));
  if (wrong !== undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `The command ${command.name} takes ${command.arguments.join(', ') || 'no arguments'}; ${JSON.stringify(wrong.slice(0, 100))} is missing or unexpected.`,
      { field: wrong.slice(0, 100) },
    );
  return command.text.replaceAll(
    /\{\{([a-z0-9_]+)\}\}/g,
    (placeholder, name: string) => args[name] ?? placeholder,
  );
}

/**
 * Inserts what was typed after a command's name: `$ARGUMENTS` is all of it, `$1` to `$9` are its words, `{{name}}` is the word at the
 * position of that argument. A text without any of these gets the arguments at its end. Inserted text is not expanded again.
 */
export function typedCommand(command: LoadedCommand, argumentText: string): string {
  const words = wordsOf(argumentText);
  const missing = command.arguments.slice(words.length);
  if (missing.length > 0)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `/${command.name} needs ${command.arguments.map((name) => name.toUpperCase()).join(' ')}; ${missing.join(', ')} is missing.`,
      { field: missing[0] },
    );
  let isUsed = false;
  const filled = command.text.replaceAll(
    /\$ARGUMENTS\b|\$([1-9])(?!\d)|\{\{([a-z0-9_]+)\}\}/g,
    (placeholder, place: string | undefined, name: string | undefined) => {
      const at = name === undefined ? Number(place) - 1 : command.arguments.indexOf(name);
      if (name !== undefined && at === -1) return placeholder;
      isUsed = true;
      return place === undefined && name === undefined ? argumentText : (words[at] ?? '');
    },
  );
  return isUsed || argumentText === '' ? filled : `${filled}\n\n${argumentText}`;
}

// Splits words as a shell does, as far as quotation marks go.
function wordsOf(argumentText: string): string[] {
  return [...argumentText.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, unquoted]) => double ?? single ?? unquoted ?? '',
  );
}

function namesIn(folder: SkillFolder): string[] {
  using directory = folder.open('.');
  if (directory === undefined) return [];
  return entriesOf(directory)
    .flatMap(({ name }) => (name.endsWith('.md') ? [name.slice(0, -'.md'.length)] : []))
    .filter(isSkillName)
    .sort();
}

function readCommand(folder: SkillFolder, name: string): LoadedCommand {
  const path = folder.shown(`${name}.md`);
  const { fields, body } = readFrontMatter(folder.read(`${name}.md`, maxBytes) ?? '', path);
  const descriptionField = fields.get('description');
  if (typeof descriptionField?.value !== 'string' || descriptionField.value.trim() === '')
    throw frontMatterFault(path, descriptionField?.line ?? 1, 'needs a `description`');
  const declared = fields.get('arguments');
  const names = declared === undefined ? [] : [declared.value].flat().map(String);
  if (names.length > mostArguments || names.some((argument) => !/^[a-z][a-z0-9_]{0,63}$/.test(argument)))
    throw frontMatterFault(path, declared?.line ?? 1, 'has arguments that are no names in small letters');
  const description = visibleLine(descriptionField.value.trim().replace(/\s+/g, ' ')).slice(
    0,
    maxDescription,
  );
  const command = { name, description, arguments: names, text: body, source: folder.source, path };
  return { ...command, ...settingsOf(fields, path) };
}

function settingsOf(
  fields: FrontMatter['fields'],
  path: string,
): Pick<LoadedCommand, 'model' | 'profile' | 'mode'> {
  const text = (key: string): string | undefined => {
    const field = fields.get(key);
    if (field === undefined) return undefined;
    if (typeof field.value === 'string' && field.value !== '') return field.value;
    throw frontMatterFault(path, field.line, `has a \`${key}\` that is not a text`);
  };
  const [model, profile, mode] = [text('model'), text('profile'), text('mode')];
  return { ...(model && { model }), ...(profile && { profile }), ...(mode && { mode }) };
}
