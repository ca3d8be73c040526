// Runs sent lines one at a time: shows the line as the user's message, runs it, and offers a review of its changes.
import type { AgentSignal } from '@codelab/protocol';
import type { Tty } from '../../terminal/open-terminal.ts';
import { branchOff } from '../branch.ts';
import type { TerminalChat } from '../chat.ts';
import type { BranchPoint } from '../commands/chat-command.ts';
import { deliverQueued, unqueueAll } from '../queue.ts';
import { runChatLine } from '../run-chat-line.ts';
import { userLines } from './reply-printer.ts';

/** A line with this prefix was not typed and is not shown; alone, it continues the interrupted turn. */
export const hiddenPrefix = '\0';

export type LineRunner = {
  /** `isBeside`: another line is running. */
  run(text: string, signal: AbortSignal, options: { isBeside: boolean }): Promise<void>;
  /** The line that offers a review, if there is one. */
  readonly offer: string;
  /** Replaces the answer to the offer of a review by its command. */
  meaning(text: string): string;
  /** A notice about the message being edited; empty when none is. */
  readonly editing: string;
  /** The line is sent: an edited message goes to a branch. */
  arm(): void;
  /** Stops editing an earlier message; returns whether one was edited. */
  disarm(): boolean;
};

type Options = {
  chat(): TerminalChat | undefined;
  terminal: Tty;
  columns(): number;
  print(lines: readonly string[]): void;
  showSignal(signal: AgentSignal): void;
  withTerminal(use: (terminal: Tty) => Promise<void>): Promise<void>;
  leave(): void;
  /** Puts a text into the input in place of the current one. */
  setLine(text: string): void;
  /** Puts a text into the input before the current one. */
  keepText(text: string): void;
};

export function createLineRunner(options: Options): LineRunner {
  const { terminal, columns, print, leave } = options;
  const { paint } = terminal;
  const offer = createReviewOffer();
  const edits = createEditState();

  // The step of a `!command` prints its own blank line.
  const showSaid = (text: string): void =>
    print(['', ...userLines(text, { paint, columns: columns() }), ...(text.startsWith('!') ? [] : [''])]);
  async function runLine(chat: TerminalChat, line: string, signal: AbortSignal): Promise<boolean> {
    const { isLeaving } = await runChatLine(line, {
      ...{ chat, paint, columns: columns(), signal, print, isTyped: true },
      ...{ showSignal: options.showSignal, withTerminal: options.withTerminal },
      edit({ text, ...change }) {
        options.setLine(text);
        edits.begin(change);
      },
    });
    return isLeaving;
  }
  return {
    get offer() {
      return offer.text;
    },
    get editing() {
      return edits.text;
    },
    arm: edits.arm,
    disarm: edits.disarm,
    meaning: (text) => offer.meaning(text),
    async run(text, signal, { isBeside }) {
      const chat = options.chat();
      if (chat === undefined) return;
      const line = text.replace(hiddenPrefix, '');
      const point = edits.take();
      const branching = /^[/!]/.test(line) ? undefined : point;
      if (branching !== undefined) print(['', paint('dim', await branchOff(chat, branching, signal))]);
      if (line === text) showSaid(text);
      if (isBeside) return (await runLine(chat, line, signal)) ? leave() : undefined;
      offer.begin(chat);
      try {
        if (text === hiddenPrefix) await chat.finish(signal);
        else if (await runLine(chat, line, signal)) return leave();
        await deliverQueued(chat, { signal, show: showSaid });
        await offer.refresh(chat, { isAgain: line.startsWith('/') });
      } finally {
        options.keepText(await unqueueAll(chat));
      }
    },
  };
}

/** The earlier message being edited, and the message that was sent and has no branch yet. */
function createEditState() {
  let edited: BranchPoint | undefined;
  let armed: BranchPoint | undefined;
  return {
    begin(point: BranchPoint): void {
      edited = point;
    },
    get text(): string {
      if (edited === undefined) return '';
      const files = edited.isUndone ? ', with the files as they were then' : '';
      return `  Edits turn ${edited.turn}: Enter sends it on a branch${files} · Ctrl-C leaves it`;
    },
    arm(): void {
      armed = edited;
      edited = undefined;
    },
    disarm(): boolean {
      const wasEditing = edited !== undefined;
      edited = undefined;
      return wasEditing;
    },
    take(): BranchPoint | undefined {
      const point = armed;
      armed = undefined;
      return point;
    },
  };
}

/** Offers a review after a turn that changed files without approval. The offer takes no key from the input: a lone `r` is sent as a line. */
type ReviewOffer = {
  readonly text: string;
  /** Called before a line runs: an interrupted turn ends before the next one, and its changes may be the ones to review. */
  begin(chat: TerminalChat): void;
  /** Looks for changes of turns since the last look. */
  refresh(chat: TerminalChat, options: { isAgain: boolean }): Promise<void>;
  /** Replaces the answer to the offer of a review by its command. */
  meaning(text: string): string;
};

function createReviewOffer(): ReviewOffer {
  let text = '';
  let seenTurn = '';
  let first = 1;
  return {
    get text() {
      return text;
    },
    begin({ conversation }) {
      first = conversation.turn + (conversation.isTurnOpen ? 0 : 1);
    },
    async refresh(chat, { isAgain }) {
      const turn = `${chat.session} ${chat.conversation.turn}`;
      if (turn === seenTurn && !isAgain) return;
      seenTurn = turn;
      text = '';
      if (chat.conversation.turn === 0 || (chat.mode !== 'review' && chat.mode !== 'trusted')) return;
      const { reviewOffer } = await import('../review-turn.ts');
      text = (await reviewOffer(chat, isAgain ? Math.min(first, chat.conversation.turn) : first)) ?? '';
    },
    meaning: (line) => (text !== '' && line === 'r' ? '/review' : line),
  };
}
