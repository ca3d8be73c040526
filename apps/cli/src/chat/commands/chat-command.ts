// A command of the chat: its syntax, its effect, and whether it may run while the agent works.
import type { Paint } from '../../output/paint.ts';
import type { Tty } from '../../terminal/open-terminal.ts';
import type { TerminalChat } from '../chat.ts';

/** A new session that begins with everything before a turn. */
export type BranchPoint = {
  /** The first turn that the branch does not have. */
  turn: number;
  /** Restore the files to that point as well. */
  isUndone: boolean;
};

export type CommandResult = {
  lines: readonly string[];
  /** The next step: the chat ends, the interrupted turn continues, or the request is repeated without a message. */
  next?: 'leave' | 'finish' | 'goOn';
  /** Start a turn with this message. */
  ask?: string;
  /** Before the message is sent, move the chat to a new branch. */
  branch?: BranchPoint;
  /** An earlier message, to be edited in the input and sent on a branch. */
  edit?: BranchPoint & { text: string };
  /** The session that the chat moves to. */
  resume?: string;
};

export type CommandContext = {
  chat: TerminalChat;
  paint: Paint;
  columns: number;
  signal: AbortSignal;
  /** Lends the terminal to a question; undefined without a user to answer. */
  withTerminal?(use: (terminal: Tty) => Promise<void>): Promise<void>;
};

export type ChatCommand = {
  name: string;
  /** The arguments, as the help shows them. */
  words: string;
  summary: string;
  /** The command may run while the agent works: it only reads, or changes what no turn depends on. */
  isAnytime?: true | ((words: readonly string[]) => boolean);
  run(words: readonly string[], context: CommandContext): Promise<CommandResult> | CommandResult;
};
