// Every command of the chat, and running one from a typed line.

import { listCommands } from '@codelab/runtime';
import { nearestName } from '../../command-line/define-command.ts';
import { displayWidth, hangText } from '../../output/text-width.ts';
import type { TerminalChat } from '../chat.ts';
import { branchCommands } from './branches.ts';
import { changeCommands, reviewCommand } from './changes.ts';
import type { ChatCommand, CommandContext, CommandResult } from './chat-command.ts';
import { projectCommands } from './project.ts';
import { sessionCommands } from './sessions.ts';
import { settingCommands } from './settings.ts';
import { statusCommands } from './status.ts';
import { viewCommands } from './view.ts';

const help: ChatCommand = {
  name: 'help',
  words: '',
  summary: 'show this list',
  isAnytime: true,
  run: (_words, { chat, columns, paint }) => ({
    lines: [
      ...listLines(
        [...chatCommands, ...ownCommands(chat)].map(({ name, words, summary }) => [
          `  /${name} ${words}`.trimEnd(),
          summary,
        ]),
        columns,
      ),
      '',
      ...listLines(
        keys.map(([key, does]) => [`  ${key}`, does]),
        columns,
      ).map((line) => paint('dim', line)),
    ],
  }),
};

/** Two columns; text that does not fit continues in the next line, aligned with its beginning. */
function listLines(rows: readonly (readonly [name: string, text: string])[], columns: number): string[] {
  const width = Math.max(...rows.map(([name]) => displayWidth(name))) + 2;
  return rows.flatMap(([name, text]) =>
    hangText(name + ' '.repeat(width - displayWidth(name)), text, columns),
  );
}

const exit: ChatCommand = {
  name: 'exit',
  words: '',
  summary: 'exit; the session is kept',
  isAnytime: true,
  run: () => ({ lines: [], next: 'leave' }),
};

const keys: readonly (readonly [string, string])[] = [
  ['@path', 'shows the model a file; Tab completes'],
  ['!command', 'runs a command yourself, without approval'],
  ['!!', 'runs the command that the sandbox blocked without the sandbox, after asking'],
  ['Esc', 'stops the agent; twice on an empty line edits an earlier message'],
  ['Alt-Enter, Ctrl-J, \\ at the end', 'a new line'],
  ['↑ ↓, Ctrl-R', 'history, and search in it'],
  ['Ctrl-O', 'shows the latest turn in full, in your pager'],
  ['Ctrl-G', 'edits the message in your editor'],
  ['Shift-Tab', 'switches: ask each time, let it work then review, plan only'],
  ['Ctrl-C', 'clears the line or cancels; twice on an empty line exits'],
];

const aliases: Record<string, string> = {
  quit: 'exit',
  q: 'exit',
  '?': 'help',
  clear: 'new',
};

export const chatCommands: readonly ChatCommand[] = [
  help,
  ...settingCommands,
  ...statusCommands,
  ...viewCommands,
  ...projectCommands,
  reviewCommand,
  ...changeCommands,
  ...branchCommands,
  ...sessionCommands,
  exit,
];

/** Whether the command may run while the agent works. */
export function isAnytime(line: string): boolean {
  const match = findChatCommand(line);
  const when = match?.command.isAnytime ?? false;
  return typeof when === 'function' ? when(match?.words ?? []) : when;
}

/** Undefined when there is no such command. */
export function findChatCommand(line: string): { command: ChatCommand; words: string[] } | undefined {
  const [typedName = '', ...words] = line.slice(1).trim().split(/\s+/);
  const name = Object.hasOwn(aliases, typedName) ? aliases[typedName] : typedName;
  const command = chatCommands.find((candidate) => candidate.name === name);
  return command && { command, words: words.filter((word) => word !== '') };
}

export async function runChatCommand(line: string, context: CommandContext): Promise<CommandResult> {
  const match = findChatCommand(line);
  if (match !== undefined) return await match.command.run(match.words, context);
  const [typedName = ''] = line.slice(1).trim().split(/\s+/);
  const nearest = nearestName(
    typedName,
    [...chatCommands, ...ownCommands(context.chat)].map(({ name }) => name),
  );
  const hint = nearest === undefined ? 'Type /help for a list.' : `Did you mean /${nearest}?`;
  return {
    lines: [
      context.paint('yellow', `  There is no command /${typedName.replaceAll(/\p{C}/gu, '')}. ${hint}`),
    ],
  };
}

/** The user's own commands, as the help and the completion show them. */
export function ownCommands({
  host,
}: Pick<TerminalChat, 'host'>): Pick<ChatCommand, 'name' | 'words' | 'summary'>[] {
  const { commands } = listCommands({ home: host.home, root: host.workspace.root.real });
  return commands
    .filter(({ name }) => findChatCommand(`/${name}`) === undefined)
    .map(({ name, description, arguments: names, source }) => ({
      name,
      words: names.map((argument) => argument.toUpperCase()).join(' ') || '[ARGUMENTS]',
      summary: source === 'workspace' ? `${description} (from this workspace)` : description,
    }));
}
