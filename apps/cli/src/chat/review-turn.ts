// The review of a turn in the chat: hunk by hunk where there is a screen, and the lines about it at the end of a turn and at the start.
import { countOf } from '../output/units.ts';
import { type ReviewOutcome, reviewChanges } from '../review-turn/review-flow.ts';
import { type ReviewSource, reviewSource, waitingComments } from '../review-turn/review-source.ts';
import { type ChangeTotals, changeTotals, resumeReview } from '../review-turn/review-state.ts';
import { fileLines, linesText, reviewTitle } from '../review-turn/review-text.ts';
import type { TerminalChat } from './chat.ts';
import type { CommandContext, CommandResult } from './commands/chat-command.ts';

/** Without a turn, the latest one whose changes are still in place. */
export async function reviewInChat(
  turnChoice: number | 'all' | undefined,
  context: CommandContext,
): Promise<CommandResult> {
  const { chat, withTerminal, signal } = context;
  const source = sourceOf(chat);
  const turn =
    turnChoice === undefined ? await latestTurn(chat, source) : turnChoice === 'all' ? null : turnChoice;
  if (turn === undefined) return { lines: ['  This session has no changes in place.'] };
  if (withTerminal === undefined) return await list(source, turn, context);
  let reviewed: ReviewOutcome = {};
  await withTerminal(async (terminal) => {
    reviewed = await reviewChanges({ terminal, source, turn, signal });
  });
  const { comments } = reviewed;
  comments?.clear();
  return { lines: [], ...(comments && { ask: comments.message }) };
}

async function list(
  source: ReviewSource,
  turn: number | null,
  { paint, columns }: CommandContext,
): Promise<CommandResult> {
  const state = resumeReview(await source.get(turn));
  return { lines: [reviewTitle(state, { paint }), ...fileLines(state, { paint, columns })] };
}

export function sourceOf({ host, session }: TerminalChat): ReviewSource {
  return reviewSource(host, { session, via: 'codelab chat' });
}

/** Turns whose changes were undone are left out. */
export async function latestTurn(
  { conversation }: TerminalChat,
  source: ReviewSource,
): Promise<number | undefined> {
  if (conversation.turn === 0) return undefined;
  const { files, turns } = await source.get(conversation.turn);
  return files.length > 0 ? conversation.turn : turns.at(-1);
}

/** One line about the reviewable changes since turn `first`; undefined when there are none, or all are viewed. */
export async function reviewOffer(chat: TerminalChat, first: number): Promise<string | undefined> {
  for (let turn = chat.conversation.turn; turn >= Math.max(1, first); turn--) {
    const offer = await offerOf(chat, turn);
    if (offer !== undefined) return offer;
  }
  return undefined;
}

async function offerOf(chat: TerminalChat, turn: number): Promise<string | undefined> {
  const { files } = await sourceOf(chat).get(turn);
  if (files.length === 0 || files.every(({ viewed }) => viewed)) return undefined;
  const { files: count, added, removed } = changeTotals(files);
  return `  ${countOf(count, 'file')} changed, ${linesText(added, removed)} · r and Enter to review`;
}

/** The turn's changes that are still in place, as its review counts them. */
export async function turnChanges(chat: TerminalChat, turn: number): Promise<ChangeTotals> {
  return changeTotals((await sourceOf(chat).get(turn)).files);
}

/** Unsent comments of reviews that the user left. */
export function unsentComments(chat: TerminalChat): string[] {
  const unsent = waitingComments(chat.host.home, chat.session, chat.conversation.turn);
  return unsent.map(({ turn, count }) => {
    const subject = turn === null ? 'this session' : `turn ${turn}`;
    return `${countOf(count, 'comment')} on ${subject} not sent yet. To send: /review ${turn ?? 'all'}`;
  });
}
