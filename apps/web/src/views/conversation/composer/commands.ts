// Commands of the composer: `/name` runs one of the page or sends one of the user's own, `!` runs a shell command as the user.

import { newId } from '@codelab/client';
import type { ToolCall } from '@codelab/protocol';
import { create } from 'zustand';
import { api } from '../../../api/api.ts';
import { currentSession, ensureSession, openSession } from '../../../session/current-session.ts';
import { useSessionStore } from '../../../session/session-store.ts';
import type { UiTexts } from '../../../text/en.ts';
import { currentText } from '../../../text/use-text.ts';
import { toast, toastError } from '../../../ui/toast.tsx';
import { openSessionReview } from '../../session-review/scope-store.ts';
import { useCatalogue } from './catalogue-store.ts';
import { sendMessage, usePicks } from './send-message.ts';

type Words = UiTexts['conversation'];
export type ComposerCommand = {
  name: string;
  about(words: Words): string;
  /** `rest` is what stands behind its name. */
  run(words: Words, rest: string): Promise<void>;
  /** Something may stand behind its name. */
  takesRest?: true;
};

export const slashCommands: readonly ComposerCommand[] = [
  {
    name: '/undo',
    about: ({ command }) => command.undo,
    run: async (words) => {
      const { done } = await api.changes.undo(currentSession());
      toast(done ? words.undone : words.nothingDone);
    },
  },
  {
    name: '/redo',
    about: ({ command }) => command.redo,
    run: async (words) => {
      const { done } = await api.changes.redo(currentSession());
      toast(done ? words.redone : words.nothingDone);
    },
  },
  {
    name: '/review',
    about: ({ command }) => command.review,
    run: async () => openSessionReview(currentSession(), null),
  },
  { name: '/new', about: ({ command }) => command.new, run: async () => openSession('') },
  {
    name: '/clear',
    about: ({ command }) => command.clear,
    run: async (words) => {
      await api.sessions.changeContext(currentSession(), 'clear');
      toast(words.cleared);
    },
  },
  {
    name: '/stop',
    about: ({ command }) => command.stop,
    run: async () => void (await api.cancel(currentSession())),
  },
  {
    name: '/model',
    about: ({ command }) => command.model,
    takesRest: true,
    run: async (words, name) => chooseModel(words, name),
  },
  {
    name: '/compact',
    about: ({ command }) => command.compact,
    run: async (words) => {
      const isDone = currentSession() !== '' && (await api.compact(currentSession()));
      toast(isDone ? words.compacted : words.nothingToCompact);
    },
  },
  {
    name: '/init',
    about: ({ command }) => command.init,
    takesRest: true,
    run: async (_words, rest) => sayCommand('init', rest),
  },
  {
    name: '/export',
    about: ({ command }) => command.export,
    run: async () => (await import('../export-markdown.ts')).downloadMarkdown(),
  },
  {
    name: '/status',
    about: ({ command }) => command.status,
    run: async () => useStatusDialog.setState({ isOpen: true }),
  },
];

/** The dialog that `/status` opens. */
export const useStatusDialog = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

/** False when the text is no command at all. */
export function runSlashCommand(text: string, words: Words): boolean {
  const [, name = '', rest = ''] = /^\/([a-z0-9][a-z0-9-]*)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? [];
  if (name === '') return false;
  const command = slashCommands.find((known) => known.name === `/${name}`);
  if (command !== undefined && (rest === '' || command.takesRest)) {
    command.run(words, rest).catch(toastError);
    return true;
  }
  const isOwn = useCatalogue.getState().commands.some((custom) => custom.name === name);
  if (isOwn) void sayCommand(name, rest).catch(toastError);
  // A sentence may begin with a path.
  else if (rest !== '') return false;
  else toast(words.commandUnknown(`/${name}`), { tone: 'bad' });
  return true;
}

/** Sends what a command of one's own, or a skill, stands for. */
async function sayCommand(name: string, typed: string): Promise<void> {
  const { text, from, model, profile } = await api.catalogue.fillCommand(name, typed);
  if (from !== undefined) toast(currentText().conversation.fromWorkspace(from));
  await sendMessage(text, {
    ...{ isTyped: false, ...(model && { model }), ...(profile && { profile }) },
  });
}

function chooseModel(words: Words, name: string): void {
  const { models, currentModel } = useCatalogue.getState();
  const names = models.map((model) => model.name);
  if (name === '') toast(words.modelNow(usePicks.getState().model || currentModel));
  else if (!names.includes(name)) toast(words.modelUnknown(name), { tone: 'bad' });
  else {
    usePicks.setState({ model: name });
    toast(words.modelNow(name));
  }
}

/** The command behind `!`; undefined when the text is something else. */
export function ownCommand(text: string): string | undefined {
  return /^!\s*(\S.*)$/s.exec(text.trim())?.[1];
}

/** Runs a person's own command: typing it is their consent, so nobody is asked. It is recorded, and the model is told at its next turn. */
export async function runOwnCommand(command: string): Promise<boolean> {
  const session = await ensureSession();
  const call_id = `${ownPrefix}${newId()}`;
  const args = { command };
  const ended = api.call(session, { tool: 'run_command', args, call_id, approve: true, tell: true });
  // The field is free as soon as the record has the call; how it ends is shown there.
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const stop = useSessionStore.subscribe(({ model }) => model.calls.has(call_id) && resolve());
  ended.then(stop, stop);
  await Promise.race([begun, ended]);
  return true;
}

/** Asks to run a command again that failed because of the sandbox, outside of it: the question waits like every other. */
export async function rerunOutsideSandbox(outside: Pick<ToolCall, 'tool' | 'args'>): Promise<void> {
  const call_id = `${ownPrefix}${newId()}`;
  await api.call(await ensureSession(), { ...outside, call_id, tell: true });
}

const ownPrefix = 'own_';

/** Whether a call is a command that a person typed. */
export function isOwnCommand(callId: string): boolean {
  return callId.startsWith(ownPrefix);
}
