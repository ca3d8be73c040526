// A command of the chat: how it is typed, what it does, and whether it may run while the agent works.
import type { Paint } from '../../output/paint.ts';
import type { Tty } from '../../terminal/open-terminal.ts';
import type { TerminalChat } from '../chat.ts';

/** A new session that begins with everything before a turn. */
export type BranchPoint = {
  /** The first turn that the branch does not have. */
  turn: number;
  /** The files go back to that point as well. */
  isUndone: boolean;
};

export type CommandResult = {
  lines: readonly string[];
  /** What follows: the chat ends, the turn that was left open goes on, or the model is asked again without a word. */
  next?: 'leave' | 'finish' | 'goOn';
  /** A turn that begins with this. */
  ask?: string;
  /** Before it, the chat goes to a new branch. */
  branch?: BranchPoint;
  /** An earlier message, to be edited in the line and sent on a branch. */
  edit?: BranchPoint & { text: string };
  /** The session that the chat goes to. */
  resume?: string;
};

export type CommandContext = {
  chat: TerminalChat;
  paint: Paint;
  columns: number;
  signal: AbortSignal;
  /** Hands the terminal over to something that asks; there is none where nobody could answer. */
  lend?(use: (terminal: Tty) => Promise<void>): Promise<void>;
};

export type ChatCommand = {
  name: string;
  /** What may stand behind it, as the help shows it. */
  words: string;
  summary: string;
  /** It may run while the agent works: it only looks, or changes what no turn depends on. */
  isAnytime?: true | ((words: readonly string[]) => boolean);
  run(words: readonly string[], context: CommandContext): Promise<CommandResult> | CommandResult;
};
