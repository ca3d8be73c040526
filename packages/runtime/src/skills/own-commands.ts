// Commands of the user's own: texts that are kept under a name and said again with other arguments, a Markdown file for each in the state
// folder. A workspace has none: what it wants to be followed is a skill, and is asked about.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError, visibleLine } from '@codelab/protocol';
import { entriesOf } from '../workspace/tree.ts';
import { Workspace } from '../workspace/workspace.ts';
import { frontMatterFault, readFrontMatter } from './front-matter.ts';
import { folderIn, isSkillName, type SkillFolder } from './skill.ts';

export type OwnCommand = { name: string; description: string; arguments: string[]; text: string };

const mostCommands = 200;
const maxBytes = 100 * 1024;
const maxDescription = 1024;
const mostArguments = 20;

/** One that can't be read is named among the problems, with the reason, and does not hide the others. */
export function listOwnCommands(home: string): { commands: OwnCommand[]; problems: string[] } {
  const list: { commands: OwnCommand[]; problems: string[] } = { commands: [], problems: [] };
  const place = join(home, 'commands');
  if (!existsSync(place)) return list;
  using folder = folderIn(Workspace.open(place), 'user', '.');
  for (const name of namesIn(folder).slice(0, mostCommands)) {
    try {
      list.commands.push(readCommand(folder, name));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      list.problems.push(error.message);
    }
  }
  return list;
}

/** `{{name}}` stands for an argument. Throws INVALID_ARGUMENTS when one is missing or not known. */
export function fillCommand(command: OwnCommand, given: Readonly<Record<string, string>>): string {
  const wrong =
    command.arguments.find((name) => given[name] === undefined) ??
    Object.keys(given).find((name) => !command.arguments.includes(name));
  if (wrong !== undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `The command ${command.name} takes ${command.arguments.join(', ') || 'no arguments'}; ${JSON.stringify(wrong.slice(0, 100))} is missing or too much.`,
      { field: wrong.slice(0, 100) },
    );
  return command.text.replaceAll(/\{\{([a-z0-9_]+)\}\}/g, (whole, name: string) => given[name] ?? whole);
}

function namesIn(folder: SkillFolder): string[] {
  using directory = folder.open('.');
  if (directory === undefined) return [];
  return entriesOf(directory)
    .flatMap(({ name }) => (name.endsWith('.md') ? [name.slice(0, -'.md'.length)] : []))
    .filter(isSkillName)
    .sort();
}

function readCommand(folder: SkillFolder, name: string): OwnCommand {
  const path = `${name}.md`;
  const { fields, body } = readFrontMatter(folder.read(path, maxBytes) ?? '', path);
  const about = fields.get('description');
  if (typeof about?.value !== 'string' || about.value.trim() === '')
    throw frontMatterFault(path, about?.line ?? 1, 'needs a `description`');
  const said = fields.get('arguments');
  const names = said === undefined ? [] : [said.value].flat().map(String);
  if (names.length > mostArguments || names.some((one) => !/^[a-z][a-z0-9_]{0,63}$/.test(one)))
    throw frontMatterFault(path, said?.line ?? 1, 'has arguments that are no names in small letters');
  const description = visibleLine(about.value.trim().replace(/\s+/g, ' ')).slice(0, maxDescription);
  return { name, description, arguments: names, text: body };
}
