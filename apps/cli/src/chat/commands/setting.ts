// Commands that change how the agent works: its model, its role, how much runs unasked.
import { type PolicyMode, policyModes, visibleLine } from '@codelab/protocol';
import { columns as lineUp } from '../../output/columns.ts';
import type { Chat } from '../chat.ts';
import type { ChatCommand, CommandContext, Told } from './chat-command.ts';

export const modeMeanings: Record<PolicyMode, string> = {
  strict: 'every change and every command is asked',
  balanced: 'ask each time: what only reads runs, every change is asked',
  review: 'let it work, then review: edits that can be undone and commands in the sandbox run unasked',
  trusted: 'like review, and skills of the workspace run unasked too',
};

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
    return picked === undefined ? told(now) : told(`The model is now ${picked}. It is kept.`);
  },
};

async function pickAnother(
  chat: Chat,
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
  summary: 'how much runs unasked: strict, balanced, review, trusted',
  async run([name], { chat }) {
    const wanted = policyModes.find((one) => one === name);
    if (wanted === undefined && name !== undefined) return await changeProfile(chat, name);
    if (wanted === undefined) {
      const rows = policyModes.map((one) => [one === chat.mode ? `❯ ${one}` : `  ${one}`, modeMeanings[one]]);
      return { lines: lineUp(rows).map((line) => `  ${line}`) };
    }
    await chat.change({ mode: wanted });
    return told(`Mode ${wanted}: ${modeMeanings[wanted]}. What your rules deny stays denied.`);
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

async function changeProfile(chat: Chat, name: string): Promise<Told> {
  await chat.change({ profile: name });
  return told(`The role is now ${chat.agent.profile.name}.`);
}

function told(line: string): Told {
  return { lines: [`  ${visibleLine(line)}`] };
}

export const settingCommands: readonly ChatCommand[] = [model, mode, profile, build, plan];
