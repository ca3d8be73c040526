// Commands about changes: show, undo, redo, review.
import { type SessionEvent, visibleLine } from '@codelab/protocol';
import { diffText } from '../../approval/diff-text.ts';
import { interruptionBy } from '../../tool-call/interruption.ts';
import { nothingToUndo, type UndoRequest, undoChanges, undoText } from '../../undo/undo-changes.ts';
import type { ChatCommand, CommandContext, CommandResult } from './chat-command.ts';

const undo: ChatCommand = {
  name: 'undo',
  words: '[TURN]',
  summary: 'undo what the latest turn changed',
  async run([turn], context) {
    if (turn !== undefined && !/^[1-9]\d{0,8}$/.test(turn))
      return { lines: [context.paint('yellow', '  /undo takes the number of a turn, or nothing.')] };
    const which = turn === undefined ? {} : { turn: Number(turn) };
    return await run({ verb: 'undo', args: { session: context.chat.session, ...which } }, context);
  },
};

const redo: ChatCommand = {
  name: 'redo',
  words: '',
  summary: 'redo the last undo',
  run: (_words, context) => run({ verb: 'redo', args: { session: context.chat.session } }, context),
};

/** The undo runs in this session, so that a redo finds it. */
async function run(wanted: UndoRequest, { chat, paint, signal }: CommandContext): Promise<CommandResult> {
  const { session } = chat;
  const done = await undoChanges(chat.host, { ...wanted, session }, interruptionBy(signal)).catch(
    (error: unknown) => {
      const nothing = nothingToUndo(error);
      if (nothing === undefined) throw error;
      return nothing;
    },
  );
  if (done.effects.length === 0 && done.data.refused.length === 0)
    return { lines: [`  There is nothing to ${wanted.verb} in this session.`] };
  const lines = undoText(done, { isForced: true, paint }).trimEnd().split('\n');
  return { lines: lines.map((line) => `  ${line}`) };
}

const diff: ChatCommand = {
  name: 'diff',
  words: '[TURN]',
  summary: 'show what the latest turn changed',
  isAnytime: true,
  async run([turn], { chat, paint, columns }) {
    const changes = changesIn(await chat.log.read(chat.session));
    const wanted = turn === undefined ? changes.at(-1)?.turn : Number(turn);
    const found = changes.filter((change) => change.turn === wanted);
    if (found.length === 0)
      return {
        lines: [
          `  ${turn === undefined ? 'No turn of this session' : `Turn ${visibleLine(turn)}`} has changed files.`,
        ],
      };
    const head = paint('bold', `  Turn ${wanted ?? ''}`);
    return {
      lines: [head, ...found.flatMap((change) => changeLines(change, { paint, columns: columns - 2 }))],
    };
  },
};

type Planned = Extract<SessionEvent['body'], { type: 'call.planned' }>['plan'];
type Change = { turn: number | undefined; plan: Planned | undefined; paths: string[] };

function changesIn(events: readonly SessionEvent[]): Change[] {
  const plans = new Map<string, Planned>();
  const changes: Change[] = [];
  for (const { body } of events) {
    if (body.type === 'call.planned') plans.set(body.callId, body.plan);
    if (body.type !== 'call.finished' || body.outcome.effects.length === 0) continue;
    const paths = body.outcome.effects.map(({ path }) => path);
    changes.push({ turn: body.turn, plan: plans.get(body.callId), paths });
  }
  return changes;
}

function changeLines(
  { plan, paths }: Change,
  { paint, columns }: Pick<CommandContext, 'paint' | 'columns'>,
): string[] {
  const title = plan?.summary ?? 'A call';
  const shown =
    plan?.diff === undefined || plan.diff.text === ''
      ? paths.map((path) => `changed ${visibleLine(path)}`)
      : diffText(plan.diff, { columns, paint });
  return ['', `  ${paint('bold', visibleLine(title))}`, ...shown.map((line) => `  ${line}`)];
}

export const changeCommands: readonly ChatCommand[] = [undo, redo, diff];

/** `/review`: the changes of a turn, hunk by hunk. Loaded on first use. */
export const reviewCommand: ChatCommand = {
  name: 'review',
  words: '[TURN|all]',
  summary: 'keep or discard what the latest turn changed, by hunk; comment, commit',
  async run([which], context) {
    if (which !== undefined && which !== 'all' && !/^[1-9]\d{0,8}$/.test(which)) {
      const how = '/review takes the number of a turn, or `all` for the whole session.';
      return { lines: [context.paint('yellow', `  ${how}`)] };
    }
    const { reviewInChat } = await import('../review-turn.ts');
    return await reviewInChat(which === undefined || which === 'all' ? which : Number(which), context);
  },
};
