// Runs what was sent, one line at a time: shows it as what the human said, carries it out, and looks at what it has left to review.
import type { AgentSignal } from '@codelab/protocol';
import type { Tty } from '../../terminal/open-terminal.ts';
import { branchOff } from '../branch.ts';
import type { TerminalChat } from '../chat.ts';
import type { BranchPoint } from '../commands/chat-command.ts';
import { deliverQueued, unqueueAll } from '../queue.ts';
import { runChatLine } from '../run-chat-line.ts';
import { userLines } from './reply-printer.ts';

/** What follows this sign was typed by nobody and is not shown; alone, it goes on with the turn that was left open. */
export const hiddenPrefix = '\0';

export type LineRunner = {
  /** `isBeside`: something else is under way. */
  run(text: string, signal: AbortSignal, how: { isBeside: boolean }): Promise<void>;
  /** The line that offers a review, if one does. */
  readonly offer: string;
  /** What a sent text means while the offer stands. */
  meaning(text: string): string;
  /** What is being edited, in words; empty when nothing is. */
  readonly editing: string;
  /** The line is sent: what was edited goes to a branch. */
  arm(): void;
  /** Nothing is edited any more; whether something was. */
  disarm(): boolean;
};

type Options = {
  chat(): TerminalChat | undefined;
  terminal: Tty;
  columns(): number;
  print(lines: readonly string[]): void;
  tell(signal: AgentSignal): void;
  lend(use: (terminal: Tty) => Promise<void>): Promise<void>;
  leave(): void;
  /** Puts a text into the line, in place of what is there. */
  setLine(text: string): void;
  /** Brings a text back to the line, before what is there. */
  keepText(text: string): void;
};

export function createLineRunner(options: Options): LineRunner {
  const { terminal, columns, print, leave } = options;
  const { paint } = terminal;
  const offer = createReviewOffer();
  const edits = createEditState();

  // The step of a `!command` brings its own blank line.
  const showSaid = (text: string): void =>
    print(['', ...userLines(text, { paint, columns: columns() }), ...(text.startsWith('!') ? [] : [''])]);
  async function runLine(chat: TerminalChat, line: string, signal: AbortSignal): Promise<boolean> {
    const { isLeaving } = await runChatLine(line, {
      ...{ chat, paint, columns: columns(), signal, print, isTyped: true },
      ...{ tell: options.tell, lend: options.lend },
      edit({ text, ...wanted }) {
        options.setLine(text);
        edits.begin(wanted);
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
        await offer.look(chat, { isAgain: line.startsWith('/') });
      } finally {
        options.keepText(await unqueueAll(chat));
      }
    },
  };
}

/** The earlier message that is being edited, and the one that was sent and has no branch yet. */
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

/** The line that offers a review at the end of a turn that changed files unasked. It takes no key from what is typed: a lone `r` is sent. */
type ReviewOffer = {
  readonly text: string;
  /** Something is about to be done: a turn that was interrupted is finished before the next one, and may be what is to be reviewed. */
  begin(chat: TerminalChat): void;
  /** Looks at what turns have left since then, when there was one since the last look. */
  look(chat: TerminalChat, options: { isAgain: boolean }): Promise<void>;
  /** What a sent text means while the offer stands. */
  meaning(text: string): string;
};

function createReviewOffer(): ReviewOffer {
  let text = '';
  let seen = '';
  let first = 1;
  return {
    get text() {
      return text;
    },
    begin({ talk }) {
      first = talk.turn + (talk.isTurnOpen ? 0 : 1);
    },
    async look(chat, { isAgain }) {
      const turn = `${chat.session} ${chat.talk.turn}`;
      if (turn === seen && !isAgain) return;
      seen = turn;
      text = '';
      if (chat.talk.turn === 0 || (chat.mode !== 'review' && chat.mode !== 'trusted')) return;
      const { reviewOffer } = await import('../review-turn.ts');
      text = (await reviewOffer(chat, isAgain ? Math.min(first, chat.talk.turn) : first)) ?? '';
    },
    meaning: (sent) => (text !== '' && sent === 'r' ? '/review' : sent),
  };
}
