// Every command of the chat, and running one by what was typed.

import { listCommands } from '@codelab/runtime';
import { nearestName } from '../../command-line/define-command.ts';
import { columns as lineUp } from '../../output/columns.ts';
import { cutToWidth } from '../../output/cut-to-width.ts';
import type { Chat } from '../chat.ts';
import { changeCommands } from './changes.ts';
import type { ChatCommand, CommandContext, Told } from './chat-command.ts';
import { lookingCommands } from './looking.ts';
import { projectCommands } from './project.ts';
import { sessionCommands } from './sessions.ts';
import { settingCommands } from './setting.ts';

const help: ChatCommand = {
  name: 'help',
  words: '',
  summary: 'this list',
  isAnytime: true,
  run: (_words, { chat, columns, paint }) => ({
    lines: [
      ...lineUp(
        [...chatCommands, ...ownCommands(chat)].map(({ name, words, summary }) => [
          `  /${name} ${words}`.trimEnd(),
          summary,
        ]),
      ).map((line) => cutToWidth(line, columns)),
      '',
      ...lineUp(keys.map(([key, does]) => [`  ${key}`, does])).map((line) =>
        paint('dim', cutToWidth(line, columns)),
      ),
    ],
  }),
};

const exit: ChatCommand = {
  name: 'exit',
  words: '',
  summary: 'leave; the session is kept',
  isAnytime: true,
  run: () => ({ lines: [], next: 'leave' }),
};

const keys: readonly (readonly [string, string])[] = [
  ['@path', 'shows the model a file; Tab completes'],
  ['!command', 'runs a command yourself, by the same rules'],
  ['Esc', 'cancels what the agent does'],
  ['Alt-Enter, Ctrl-J, \\ at the end', 'a new line'],
  ['↑ ↓', 'what was typed before'],
  ['Shift-Tab', 'between build and plan'],
  ['Ctrl-C', 'clears the line, cancels, and twice leaves'],
];

const aliases: Record<string, string> = {
  quit: 'exit',
  q: 'exit',
  '?': 'help',
  clear: 'new',
  continue: 'resume',
};

export const chatCommands: readonly ChatCommand[] = [
  help,
  ...settingCommands,
  ...lookingCommands,
  ...projectCommands,
  ...changeCommands,
  ...sessionCommands,
  exit,
];

/** Undefined when there is no such command. */
export function findChatCommand(line: string): { command: ChatCommand; words: string[] } | undefined {
  const [typed = '', ...words] = line.slice(1).trim().split(/\s+/);
  const name = Object.hasOwn(aliases, typed) ? aliases[typed] : typed;
  const command = chatCommands.find((one) => one.name === name);
  return command && { command, words: words.filter((word) => word !== '') };
}

export async function runChatCommand(line: string, context: CommandContext): Promise<Told> {
  const found = findChatCommand(line);
  if (found !== undefined) return await found.command.run(found.words, context);
  const [typed = ''] = line.slice(1).trim().split(/\s+/);
  const near = nearestName(
    typed,
    [...chatCommands, ...ownCommands(context.chat)].map(({ name }) => name),
  );
  const meant = near === undefined ? '/help lists what there is.' : `Did you mean /${near}?`;
  return {
    lines: [context.paint('yellow', `  There is no command /${typed.replaceAll(/\p{C}/gu, '')}. ${meant}`)],
  };
}

/** Commands of one's own, as the help and the completion show them. */
export function ownCommands({ host }: Pick<Chat, 'host'>): Pick<ChatCommand, 'name' | 'words' | 'summary'>[] {
  const { commands } = listCommands({ home: host.home, root: host.workspace.root.real });
  return commands
    .filter(({ name }) => findChatCommand(`/${name}`) === undefined)
    .map(({ name, description, arguments: names, source }) => ({
      name,
      words: names.map((one) => one.toUpperCase()).join(' ') || '[ARGUMENTS]',
      summary: source === 'workspace' ? `${description} (from this workspace)` : description,
    }));
}
