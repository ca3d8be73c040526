// What can be typed after a slash. Each does something at once; nothing of it reaches the model.
import { api } from '../../api/api.ts';
import { currentSession, openSession } from '../../session/current-session.ts';
import type { Texts } from '../../text/en.ts';
import { toast, toastError } from '../../ui/toast.tsx';

type Words = Texts['conversation'];
export type SlashCommand = { name: string; about(words: Words): string; run(words: Words): Promise<void> };

export const slashCommands: readonly SlashCommand[] = [
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
];

/** False when the text is no command at all. */
export function runCommand(text: string, words: Words): boolean {
  const name = text.trim();
  if (!/^\/[a-z]+$/.test(name)) return false;
  const command = slashCommands.find((one) => one.name === name);
  if (command === undefined) toast(words.commandUnknown(name), { tone: 'bad' });
  else command.run(words).catch(toastError);
  return true;
}
