// Commands that go back: ask again, continue after a limit, edit an earlier message, and list the branches.
import { titleFrom } from '@codelab/protocol';
import { shortId } from '../../audit/find-sessions.ts';
import { shownLine } from '../../output/shown-text.ts';
import { cutToWidth, columns as lineUp } from '../../output/text-width.ts';
import { countOf } from '../../output/units.ts';
import { pickFromList } from '../../terminal/pick-from-list.ts';
import { askAboutFiles, type UserMessage, userMessages } from '../branch.ts';
import type { ChatCommand, CommandContext, CommandResult } from './chat-command.ts';
import { describeSessions, sessionFamily } from './session-rows.ts';

const retry: ChatCommand = {
  name: 'retry',
  words: '',
  summary: 'ask the model again: in place after an error, otherwise on a branch',
  async run(_words, context) {
    const { chat } = context;
    const events = await chat.agent.log.read();
    const last = userMessages(events).at(-1);
    const end = events.findLast(({ body }) => body.type === 'turn.ended' && body.agent === undefined)?.body;
    if (last === undefined) return oneLine('No messages yet.');
    if (end?.type === 'turn.ended' && end.end !== 'completed') return { lines: [], next: 'goOn' };
    const isUndone = await askAboutFiles(last.turn, context);
    if (isUndone === undefined) return oneLine('Nothing was changed.');
    return { lines: [], ask: last.text, branch: { turn: last.turn, isUndone } };
  },
};

const goOn: ChatCommand = {
  name: 'continue',
  words: '',
  summary: 'continue after a limit, an error or a cancellation, without a new message',
  run: (_words, { chat }) =>
    chat.conversation.turn === 0
      ? oneLine('No messages yet.')
      : { lines: [], next: chat.conversation.isTurnOpen ? 'finish' : 'goOn' },
};

const edit: ChatCommand = {
  name: 'edit',
  words: '[TURN]',
  summary: 'edit an earlier message and send it again, on a branch (Esc Esc)',
  async run([turnNumber], context) {
    if (context.withTerminal === undefined)
      return oneLine('/edit needs a terminal. `codelab sessions fork ID --turn N` makes a branch anywhere.');
    const messages = userMessages(await context.chat.agent.log.read());
    if (messages.length === 0) return oneLine('No messages yet.');
    const message =
      turnNumber === undefined
        ? await choose(messages, context)
        : messages.find(({ turn }) => String(turn) === turnNumber);
    if (message === undefined)
      return oneLine(
        turnNumber === undefined
          ? 'Nothing was changed.'
          : `No message of yours began turn ${turnNumber}. /edit lists them.`,
      );
    const isUndone = await askAboutFiles(message.turn, context);
    if (isUndone === undefined) return oneLine('Nothing was changed.');
    return { lines: [], edit: { text: message.text, turn: message.turn, isUndone } };
  },
};

async function choose(
  messages: readonly UserMessage[],
  { withTerminal, signal }: CommandContext,
): Promise<UserMessage | undefined> {
  let picked: UserMessage | undefined;
  await withTerminal?.(async (terminal) => {
    const items = messages
      .toReversed()
      .map((message) => ({ label: `${message.turn}`, hint: shownLine(message.text), value: message }));
    picked = await pickFromList(terminal, { title: 'Go back to which message?', items, signal });
  });
  return picked;
}

const branches: ChatCommand = {
  name: 'branches',
  words: '[NUMBER]',
  summary: 'the branches of this conversation; a number goes to one',
  isAnytime: ([branchNumber]) => branchNumber === undefined,
  async run([branchNumber], context) {
    const { chat, columns, paint } = context;
    const family = await sessionFamily(chat);
    if (family.length < 2)
      return oneLine('This conversation has no branches. /edit makes one from an earlier message.');
    if (branchNumber !== undefined) {
      const branch = family[Number(branchNumber) - 1];
      if (branch === undefined)
        return oneLine(`There is no branch ${shownLine(branchNumber)}. /branches lists them.`);
      return { lines: [], resume: branch.id };
    }
    const described = await describeSessions(chat, family);
    const sessions = await chat.log.sessions();
    const rows = described.map(({ id, latest, turns, when }, i) => [
      `  ${id === chat.session ? '❯' : ' '} ${i + 1}`,
      shortId(id, sessions),
      when,
      countOf(turns, 'turn'),
      titleFrom(latest),
    ]);
    return {
      lines: [
        ...lineUp(rows).map((line, i) =>
          paint(described[i]?.id === chat.session ? 'bold' : 'reset', cutToWidth(line, columns)),
        ),
        '',
        '  /branches NUMBER goes to one.',
      ],
    };
  },
};

function oneLine(line: string): CommandResult {
  return { lines: [`  ${shownLine(line)}`] };
}

export const branchCommands: readonly ChatCommand[] = [retry, goOn, edit, branches];
