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
    if (last === undefined) return told('No messages yet.');
    if (end?.type === 'turn.ended' && end.end !== 'completed') return { lines: [], next: 'goOn' };
    const isUndone = await askAboutFiles(last.turn, context);
    if (isUndone === undefined) return told('Nothing was changed.');
    return { lines: [], ask: last.text, branch: { turn: last.turn, isUndone } };
  },
};

const goOn: ChatCommand = {
  name: 'continue',
  words: '',
  summary: 'continue after a limit, an error or a cancellation, without a new message',
  run: (_words, { chat }) =>
    chat.talk.turn === 0
      ? told('No messages yet.')
      : { lines: [], next: chat.talk.isTurnOpen ? 'finish' : 'goOn' },
};

const edit: ChatCommand = {
  name: 'edit',
  words: '[TURN]',
  summary: 'edit an earlier message and send it again, on a branch (Esc Esc)',
  async run([which], context) {
    if (context.lend === undefined)
      return told('/edit needs a terminal. `codelab sessions fork ID --turn N` makes a branch anywhere.');
    const messages = userMessages(await context.chat.agent.log.read());
    if (messages.length === 0) return told('No messages yet.');
    const chosen =
      which === undefined
        ? await choose(messages, context)
        : messages.find(({ turn }) => String(turn) === which);
    if (chosen === undefined)
      return told(
        which === undefined
          ? 'Nothing was changed.'
          : `No message of yours began turn ${which}. /edit lists them.`,
      );
    const isUndone = await askAboutFiles(chosen.turn, context);
    if (isUndone === undefined) return told('Nothing was changed.');
    return { lines: [], edit: { text: chosen.text, turn: chosen.turn, isUndone } };
  },
};

async function choose(
  messages: readonly UserMessage[],
  { lend, signal }: CommandContext,
): Promise<UserMessage | undefined> {
  let chosen: UserMessage | undefined;
  await lend?.(async (terminal) => {
    const items = messages
      .toReversed()
      .map((one) => ({ label: `${one.turn}`, hint: shownLine(one.text), value: one }));
    chosen = await pickFromList(terminal, { title: 'Go back to which message?', items, signal });
  });
  return chosen;
}

const branches: ChatCommand = {
  name: 'branches',
  words: '[NUMBER]',
  summary: 'the branches of this conversation; a number goes to one',
  isAnytime: ([which]) => which === undefined,
  async run([which], context) {
    const { chat, columns, paint } = context;
    const family = await sessionFamily(chat);
    if (family.length < 2)
      return told('This conversation has no branches. /edit makes one from an earlier message.');
    if (which !== undefined) {
      const wanted = family[Number(which) - 1];
      if (wanted === undefined) return told(`There is no branch ${shownLine(which)}. /branches lists them.`);
      return { lines: [], resume: wanted.id };
    }
    const described = await describeSessions(chat, family);
    const all = await chat.log.sessions();
    const rows = described.map(({ id, latest, turns, when }, i) => [
      `  ${id === chat.session ? '❯' : ' '} ${i + 1}`,
      shortId(id, all),
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

function told(line: string): CommandResult {
  return { lines: [`  ${shownLine(line)}`] };
}

export const branchCommands: readonly ChatCommand[] = [retry, goOn, edit, branches];
