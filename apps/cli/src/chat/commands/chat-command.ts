// A command of the chat: how it is typed, what it does, and whether it may run while the agent works.
import type { Paint } from '../../output/paint.ts';
import type { Terminal } from '../../terminal/open-terminal.ts';
import type { Chat } from '../chat.ts';

export type Told = {
  lines: readonly string[];
  /** What follows: the chat ends, or the turn that was left open goes on. */
  next?: 'leave' | 'finish';
  /** A turn that begins with this. */
  ask?: string;
};

export type CommandContext = {
  chat: Chat;
  paint: Paint;
  columns: number;
  signal: AbortSignal;
  /** Hands the terminal over to something that asks; there is none where nobody could answer. */
  lend?(use: (terminal: Terminal) => Promise<void>): Promise<void>;
};

export type ChatCommand = {
  name: string;
  /** What may stand behind it, as the help shows it. */
  words: string;
  summary: string;
  /** It only looks. */
  isAnytime?: true;
  run(words: readonly string[], context: CommandContext): Promise<Told> | Told;
};
