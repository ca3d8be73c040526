// A branch of the conversation: a new session that begins with everything before one of its turns, with the files restored to that point if wanted.
import { type SessionEvent, type SessionLog, ToolError, visibleLine } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { forkEntry } from '../audit/find-sessions.ts';
import { interruptionBy } from '../command-line/process.ts';
import { select } from '../terminal/select.ts';
import { undoChanges } from '../undo/undo-changes.ts';
import type { TerminalChat } from './chat.ts';
import type { BranchPoint, CommandContext } from './commands/chat-command.ts';

type Place = { session: string; seq: number };

/** Whether to restore the files as well; asked only when the turn, or a later one, changed some. Undefined when the user leaves with Escape. */
export async function askAboutFiles(
  turn: number,
  { chat, withTerminal, signal }: CommandContext,
): Promise<boolean | undefined> {
  const { reviewSource } = await import('../review-turn/review-source.ts');
  const { turns } = await reviewSource(chat.host, { session: chat.session, via: 'codelab chat' }).get(null);
  if (withTerminal === undefined || !turns.some((number) => number >= turn)) return false;
  let isUndone: boolean | undefined;
  await withTerminal(async (terminal) => {
    terminal.output.write(`  Files were changed since turn ${turn} began.\n\n`);
    isUndone = await select(terminal, {
      choices: [
        {
          key: 'u',
          label: 'Undo them to that point',
          hint: 'byte for byte; /redo in this session brings them back',
          value: true,
        },
        { key: 'k', label: 'Keep the files as they are', value: false },
      ],
      footer: () => '↑↓ or a letter, then Enter · Esc: no branch',
      signal,
    });
  });
  return isUndone;
}

/** The chat continues in the branch; the original session stays unchanged. Returns one line about it. */
export async function branchOff(
  chat: TerminalChat,
  { turn, isUndone }: BranchPoint,
  signal: AbortSignal,
): Promise<string> {
  const { session, log, host } = chat;
  const from = await placeBefore(log, session, turn);
  const undoText = isUndone ? await undoFrom(turn, chat, signal) : '';
  const id = randomId();
  await log.append(id, [await forkEntry(log, host.workspace.root.real, from)], { expected: 0 });
  await chat.change({ session: id });
  return `  ↳ New branch from before turn ${turn}${undoText} · /branches lists all`;
}

async function undoFrom(turn: number, { host, session }: TerminalChat, signal: AbortSignal): Promise<string> {
  const args = { session, from_turn: turn };
  const { effects, data } = await undoChanges(host, { verb: 'undo', args, session }, interruptionBy(signal));
  const count = new Set(effects.map(({ path }) => path)).size;
  const refused = data.refused.map(({ path }) => visibleLine(path)).join(', ');
  return ` · ${count} ${count === 1 ? 'file' : 'files'} undone${refused === '' ? '' : ` · changed since and left: ${refused}`}`;
}

/** The last event before the turn, in the session that holds the turn: the first turns of a branch are in the session it comes from. */
async function placeBefore(log: SessionLog, session: string, turn: number): Promise<Place> {
  const events = await log.read(session);
  const started = events.find(
    ({ body }) => body.type === 'turn.started' && body.agent === undefined && body.turn === turn,
  );
  if (started !== undefined) return { session, seq: started.seq - 1 };
  const [first] = events;
  const origin = first?.body.type === 'session.opened' ? first.body.forkedFrom : undefined;
  if (origin === undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `This conversation has no turn ${turn}. /edit lists its messages.`,
    );
  return await placeBefore(log, origin.session, turn);
}

export type UserMessage = { turn: number; text: string };

/** The user's messages of a conversation, turn by turn, without notes and without turns that only continued. */
export function userMessages(events: readonly SessionEvent[]): UserMessage[] {
  return events.flatMap(({ body }) =>
    body.type === 'turn.started' && body.agent === undefined && body.text !== '' && body.again !== true
      ? [{ turn: body.turn, text: body.text }]
      : [],
  );
}
