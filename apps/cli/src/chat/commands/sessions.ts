// Commands about the conversation itself: a new one, an earlier one, a branch of this one, a shorter one, what is pinned to it.
import { compact, prefixNow } from '@codelab/agent';
import { type SessionEvent, type SessionSummary, ToolError, visibleLine } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { changeContext } from '@codelab/server/agent';
import { sessionCalled, shortId } from '../../audit/find-sessions.ts';
import { dayTime } from '../../output/clock-time.ts';
import { columns as lineUp } from '../../output/columns.ts';
import { cutToWidth } from '../../output/cut-to-width.ts';
import type { Chat } from '../chat.ts';
import { recapLines } from '../recap-lines.ts';
import type { ChatCommand, Told } from './chat-command.ts';

const shownAtMost = 20;

const create: ChatCommand = {
  name: 'new',
  words: '',
  summary: 'begin a new session',
  async run(_words, { chat }) {
    await chat.change({ session: randomId() });
    return told('A new session. The one before is kept: /sessions');
  },
};

const sessions: ChatCommand = {
  name: 'sessions',
  words: '',
  summary: 'the latest sessions of this workspace',
  isAnytime: true,
  async run(_words, { chat, columns }) {
    const all = await others(chat);
    const found = all.slice(0, shownAtMost);
    if (found.length === 0) return told('There are no other sessions in this workspace yet.');
    const rows = await Promise.all(
      found.map(async ({ id, lastAt }, i) => [
        `  ${i + 1}`,
        shortId(id, all),
        dayTime(lastAt),
        firstWords(await chat.log.read(id, { limit: 50 })),
      ]),
    );
    return {
      lines: [
        ...lineUp(rows).map((line) => cutToWidth(line, columns)),
        '',
        '  /resume NUMBER or /resume ID goes on with one.',
      ],
    };
  },
};

const resume: ChatCommand = {
  name: 'resume',
  words: '[NUMBER|ID]',
  summary: 'go on with an earlier session',
  async run([which = '1'], { chat, paint, columns }) {
    const found = await others(chat);
    const session = (which.length < 4 ? found[Number(which) - 1] : undefined) ?? sessionCalled(which, found);
    if (session === undefined)
      throw new ToolError(
        'SESSION_NOT_FOUND',
        `There is no session ${JSON.stringify(which)} here. /sessions lists them.`,
      );
    await chat.change({ session: session.id });
    const lines = recapLines(await chat.agent.log.read(), { paint, columns });
    return chat.talk.isTurnOpen ? { lines, next: 'finish' } : { lines };
  },
};

const fork: ChatCommand = {
  name: 'fork',
  words: '',
  summary: 'go on in a new session that begins with this one',
  async run(_words, { chat }) {
    const { session, log, host } = chat;
    const events = await log.read(session);
    const last = events.at(-1);
    if (last === undefined) return told('There is nothing to branch off from yet.');
    const id = randomId();
    const workspace = host.workspace.root.real;
    const forkedFrom = { session, seq: last.seq };
    await log.append(id, [{ type: 'session.opened', workspace, forkedFrom }], { expected: 0 });
    await chat.change({ session: id });
    const all = await log.sessions();
    return told(
      `Now in ${shortId(id, all)}, which begins with what was said. ${shortId(session, all)} stays as it is.`,
    );
  },
};

const shorten: ChatCommand = {
  name: 'compact',
  words: '',
  summary: 'sum up the older part of the conversation',
  async run(_words, { chat, signal }) {
    const { agent, talk } = chat;
    const before = talk.messages.length;
    const prefix = await prefixNow(agent, talk, signal);
    const isDone = await compact(agent, talk, signal, { prefix, isForced: true });
    return told(
      isDone
        ? `${before} messages became ${talk.messages.length}. The log keeps everything.`
        : 'There is nothing to sum up yet.',
    );
  },
};

const context: ChatCommand = {
  name: 'context',
  words: '[add|remove|clear]',
  summary: 'files the model sees at every turn',
  async run([what, ...rest], { chat }) {
    const { host, session, talk } = chat;
    const path = rest.join(' ').replace(/^@/, '');
    const list = (): Told =>
      talk.pinned.size === 0
        ? told('No file is pinned. /context add PATH pins one.')
        : { lines: [...talk.pinned].map((one) => `  • ${visibleLine(one)}`) };
    if (what === undefined || what === 'list') return list();
    if (what === 'clear') await changeContext(host, session, { op: 'clear' });
    else if ((what === 'add' || what === 'remove') && path !== '')
      await changeContext(host, session, { op: `${what}_file`, path });
    else return told('/context, /context add PATH, /context remove PATH or /context clear.');
    return list();
  },
};

/** Those of this workspace but the present one, the newest first. */
async function others({ log, host, session }: Chat): Promise<SessionSummary[]> {
  const root = host.workspace.root.real;
  const here = (await log.sessions()).filter(({ id, workspace }) => workspace === root && id !== session);
  return here.toSorted((a, b) => b.lastAt - a.lastAt);
}

function firstWords(events: readonly SessionEvent[]): string {
  for (const { body } of events) if (body.type === 'turn.started') return visibleLine(body.text);
  return '(calls only)';
}

function told(line: string): Told {
  return { lines: [`  ${visibleLine(line)}`] };
}

export const sessionCommands: readonly ChatCommand[] = [create, sessions, resume, fork, shorten, context];
