// Commands about changes: show, undo, redo, review.
import { interruptionBy } from '../../command-line/process.ts';
import { nothingToUndo, type UndoRequest, undoChanges, undoText } from '../../undo/undo-changes.ts';
import type { ChatCommand, CommandContext, CommandResult } from './chat-command.ts';

const undo: ChatCommand = {
  name: 'undo',
  words: '[TURN]',
  summary: 'undo what the latest turn changed',
  async run([turn], context) {
    if (turn !== undefined && !isTurn(turn))
      return { lines: [context.paint('yellow', '  /undo takes the number of a turn, or nothing.')] };
    const turnArgs = turn === undefined ? {} : { turn: Number(turn) };
    return await run({ verb: 'undo', args: { session: context.chat.session, ...turnArgs } }, context);
  },
};

const redo: ChatCommand = {
  name: 'redo',
  words: '',
  summary: 'redo the last undo',
  run: (_words, context) => run({ verb: 'redo', args: { session: context.chat.session } }, context),
};

/** The undo runs in this session, so that a redo finds it. */
async function run(request: UndoRequest, { chat, paint, signal }: CommandContext): Promise<CommandResult> {
  const { session } = chat;
  const outcome = await undoChanges(chat.host, { ...request, session }, interruptionBy(signal)).catch(
    (error: unknown) => {
      const nothing = nothingToUndo(error);
      if (nothing === undefined) throw error;
      return nothing;
    },
  );
  if (outcome.effects.length === 0 && outcome.data.refused.length === 0)
    return { lines: [`  There is nothing to ${request.verb} in this session.`] };
  const lines = undoText(outcome, { isForced: true, paint }).trimEnd().split('\n');
  return { lines: lines.map((line) => `  ${line}`) };
}

const diff: ChatCommand = {
  name: 'diff',
  words: '[TURN|all]',
  summary: 'show what the latest turn, or the whole session, changed',
  isAnytime: true,
  async run([turn], context) {
    if (turn !== undefined && turn !== 'all' && !isTurn(turn))
      return { lines: [context.paint('yellow', '  /diff takes the number of a turn, or `all`.')] };
    const { showDiff } = await import('../show-diff.ts');
    return await showDiff(turn === undefined || turn === 'all' ? turn : Number(turn), context);
  },
};

function isTurn(word: string): boolean {
  return /^[1-9]\d{0,8}$/.test(word);
}

export const changeCommands: readonly ChatCommand[] = [undo, redo, diff];

/** `/review`: the changes of a turn, hunk by hunk. Loaded on first use. */
export const reviewCommand: ChatCommand = {
  name: 'review',
  words: '[TURN|all]',
  summary: 'keep or discard what the latest turn changed, by hunk; comment, commit',
  async run([turn], context) {
    if (turn !== undefined && turn !== 'all' && !isTurn(turn)) {
      const usage = '/review takes the number of a turn, or `all` for the whole session.';
      return { lines: [context.paint('yellow', `  ${usage}`)] };
    }
    const { reviewInChat } = await import('../review-turn.ts');
    return await reviewInChat(turn === undefined || turn === 'all' ? turn : Number(turn), context);
  },
};
