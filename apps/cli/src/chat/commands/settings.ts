// Commands that change how the agent works: its model, its role, its mode.
import { policyModes, visibleLine } from '@codelab/protocol';
import { modeMeanings } from '../../mode/mode-words.ts';
import { columns as lineUp } from '../../output/text-width.ts';
import type { TerminalChat } from '../chat.ts';
import type { ChatCommand, CommandContext, CommandResult } from './chat-command.ts';

const model: ChatCommand = {
  name: 'model',
  words: '[PROVIDER/NAME]',
  summary: 'change the model: by name for this chat, or from a list for good',
  async run([name], { chat, lend, signal }) {
    if (name !== undefined) {
      await chat.change({ model: name });
      return told(`The model is now ${chat.agent.model.name}, in this chat.`);
    }
    const now = `The model is ${chat.agent.model.name}.`;
    if (lend === undefined)
      return told(`${now} /model PROVIDER/NAME changes it; codelab model list has others.`);
    const picked = await pickAnother(chat, lend, signal);
    return picked === undefined ? told(now) : told(`The model is now ${picked}, saved as the default.`);
  },
};

async function pickAnother(
  chat: TerminalChat,
  lend: NonNullable<CommandContext['lend']>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { pickModel } = await import('../../model/pick-model.ts');
  const places = { home: chat.host.home, root: chat.host.workspace.root.real };
  let picked: string | undefined;
  await lend(async (terminal) => {
    picked = await pickModel(terminal, places, { title: 'Which model?', signal });
  });
  if (picked !== undefined) await chat.change({ model: picked });
  return picked;
}

const mode: ChatCommand = {
  name: 'mode',
  words: '[MODE]',
  summary: 'how much runs without asking: strict, balanced, review, trusted',
  // A role can't change in the middle of a turn; a mode applies from the next call on.
  isAnytime: ([name]) => name === undefined || policyModes.some((one) => one === name),
  async run([name], { chat }) {
    const wanted = policyModes.find((one) => one === name);
    if (wanted === undefined && name !== undefined) return await changeProfile(chat, name);
    if (wanted === undefined) {
      const rows = policyModes.map((one) => [one === chat.mode ? `❯ ${one}` : `  ${one}`, modeMeanings[one]]);
      return { lines: lineUp(rows).map((line) => `  ${line}`) };
    }
    await chat.changeMode(wanted);
    const { unheldNote } = await import('../../mode/mode-words.ts');
    const lines = [
      `Mode ${wanted}: ${modeMeanings[wanted]}. What your rules deny stays denied.`,
      ...(await unheldNote(chat.host, wanted)),
    ];
    return { lines: lines.map((line) => `  ${line}`) };
  },
};

const profile: ChatCommand = {
  name: 'profile',
  words: '[NAME]',
  summary: 'show or change the role',
  async run([name], { chat }) {
    if (name !== undefined) return await changeProfile(chat, name);
    const roles = (await chat.host.profiles.all()).filter((one) => one.mode === 'primary');
    const rows = roles.map((one) => [
      `  ${one.name === chat.agent.profile.name ? '❯' : ' '} ${visibleLine(one.name)}`,
      visibleLine(one.summary),
    ]);
    return { lines: lineUp(rows) };
  },
};

const build: ChatCommand = {
  name: 'build',
  words: '',
  summary: 'the role that may change things',
  run: (_words, { chat }) => changeProfile(chat, 'build'),
};

const plan: ChatCommand = {
  name: 'plan',
  words: '',
  summary: 'the role that only reads and plans',
  run: (_words, { chat }) => changeProfile(chat, 'plan'),
};

async function changeProfile(chat: TerminalChat, name: string): Promise<CommandResult> {
  await chat.change({ profile: name });
  return told(`The role is now ${chat.agent.profile.name}.`);
}

function told(line: string): CommandResult {
  return { lines: [`  ${visibleLine(line)}`] };
}

export const settingCommands: readonly ChatCommand[] = [model, mode, profile, build, plan];
