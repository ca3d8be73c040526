// Commands that change how the agent works: its model, its role, its mode.
import { policyModes, visibleLine } from '@codelab/protocol';
import { modeMeanings } from '../../mode/mode-words.ts';
import { columns as lineUp } from '../../output/text-width.ts';
import type { TerminalChat } from '../chat.ts';
import type { ChatCommand, CommandContext, CommandResult } from './chat-command.ts';

const model: ChatCommand = {
  name: 'model',
  words: '[PROVIDER/NAME]',
  summary: 'change the model: by name for this chat, or from a list as the default',
  async run([name], { chat, withTerminal, signal }) {
    if (name !== undefined) {
      await chat.change({ model: name });
      return oneLine(`The model is now ${chat.agent.model.name}, in this chat.`);
    }
    const now = `The model is ${chat.agent.model.name}.`;
    if (withTerminal === undefined)
      return oneLine(`${now} /model PROVIDER/NAME changes it; codelab model list has others.`);
    const picked = await pickAnother(chat, withTerminal, signal);
    return picked === undefined ? oneLine(now) : oneLine(`The model is now ${picked}, saved as the default.`);
  },
};

async function pickAnother(
  chat: TerminalChat,
  withTerminal: NonNullable<CommandContext['withTerminal']>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { pickModel } = await import('../../model/pick-model.ts');
  const places = { home: chat.host.home, root: chat.host.workspace.root.real };
  let picked: string | undefined;
  await withTerminal(async (terminal) => {
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
  isAnytime: ([name]) => name === undefined || policyModes.some((mode) => mode === name),
  async run([name], { chat }) {
    const mode = policyModes.find((candidate) => candidate === name);
    if (mode === undefined && name !== undefined) return await changeProfile(chat, name);
    if (mode === undefined) {
      const rows = policyModes.map((mode) => [
        mode === chat.mode ? `❯ ${mode}` : `  ${mode}`,
        modeMeanings[mode],
      ]);
      return { lines: lineUp(rows).map((line) => `  ${line}`) };
    }
    await chat.changeMode(mode);
    const { unheldNote } = await import('../../mode/mode-words.ts');
    const lines = [
      `Mode ${mode}: ${modeMeanings[mode]}. Your deny rules still apply.`,
      ...(await unheldNote(chat.host, mode)),
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
    const roles = (await chat.host.profiles.all()).filter((profile) => profile.mode === 'primary');
    const rows = roles.map((role) => [
      `  ${role.name === chat.agent.profile.name ? '❯' : ' '} ${visibleLine(role.name)}`,
      visibleLine(role.summary),
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
  return oneLine(`The role is now ${chat.agent.profile.name}.`);
}

function oneLine(line: string): CommandResult {
  return { lines: [`  ${visibleLine(line)}`] };
}

export const settingCommands: readonly ChatCommand[] = [model, mode, profile, build, plan];
