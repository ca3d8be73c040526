// Commands about the conversation: a new one, an earlier one, a branch, a shorter one, its pinned texts.
import { compact, requestPrefix } from '@codelab/agent';
import { type SessionSummary, ToolError, visibleLine } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { markSession, sessionMarks } from '@codelab/server';
import { changeContext } from '@codelab/server/agent';
import { forkEntry, sessionById, shortId } from '../../audit/find-sessions.ts';
import { cutToWidth, columns as lineUp } from '../../output/text-width.ts';
import { pickFromList } from '../../terminal/pick-from-list.ts';
import type { TerminalChat } from '../chat.ts';
import type { ChatCommand, CommandContext, CommandResult } from './chat-command.ts';
import { type DescribedSession, describeSessions, sessionsHere } from './session-rows.ts';
import { matchesIn } from './view.ts';

const shownAtMost = 20;
const mostListed = 100;
const mostSearched = 500;

const create: ChatCommand = {
  name: 'new',
  words: '',
  summary: 'start a new session',
  async run(_words, { chat }) {
    await chat.change({ session: randomId() });
    return oneLine('New session. The previous one is kept: /sessions');
  },
};

const sessions: ChatCommand = {
  name: 'sessions',
  words: '[TEXT]',
  summary: 'the latest sessions of this workspace, or those that contain a text',
  isAnytime: ([verb]) => verb !== 'pin' && verb !== 'archive',
  async run(words, context) {
    const { chat, columns, paint } = context;
    const [verb = '', sessionRef = ''] = words;
    if ((verb === 'pin' || verb === 'archive') && words.length === 2)
      return await mark(verb, sessionRef, context);
    const query = words.join(' ').toLowerCase();
    const matches = await matchingSessions(chat, query);
    if (matches.length === 0)
      return oneLine(
        query === ''
          ? 'There are no other sessions in this workspace yet.'
          : `No other session contains ${JSON.stringify(query)}.`,
      );
    const sessions = await chat.log.sessions();
    const hasBranches = matches.some(({ branch }) => branch !== '');
    const rows = matches
      .slice(0, shownAtMost)
      .map(({ id, when, state, title, branch, isPinned, number }) => [
        `  ${number}`,
        shortId(id, sessions),
        when,
        state,
        ...(hasBranches ? [visibleLine(branch)] : []),
        `${isPinned ? '★ ' : ''}${visibleLine(title)}`,
      ]);
    const hidden = matches.length - rows.length;
    return {
      lines: [
        ...lineUp(rows).map((line) => cutToWidth(line, columns)),
        ...(hidden > 0 ? [paint('dim', `  … ${hidden} more: /sessions TEXT searches the messages`)] : []),
        '',
        '  /resume NUMBER or ID goes to one · /sessions pin|archive NUMBER',
      ],
    };
  },
};

type Listed = DescribedSession & { isPinned: boolean; number: number };

/** Pinned sessions first; archived ones only on request. The numbers are those of the whole list. */
async function matchingSessions(chat: TerminalChat, query: string): Promise<Listed[]> {
  const markOf = sessionMarks(chat.host.home);
  const sessions = await others(chat);
  const candidates = sessions
    .filter(({ id }) => query !== '' || !markOf(id).archived)
    .slice(0, query === '' ? mostListed : mostSearched);
  const described = await describeSessions(chat, candidates);
  const numbers = new Map(sessions.map(({ id }, i) => [id, i + 1]));
  return described
    .filter(
      ({ title, events }) =>
        query === '' || title.toLowerCase().includes(query) || matchesIn(events, query).length > 0,
    )
    .map((session) => ({
      ...session,
      isPinned: markOf(session.id).pinned,
      number: numbers.get(session.id) ?? 0,
    }))
    .toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned));
}

async function mark(
  verb: 'pin' | 'archive',
  sessionRef: string,
  { chat }: CommandContext,
): Promise<CommandResult> {
  const { id } = await sessionAt(chat, sessionRef);
  const { pinned, archived } = sessionMarks(chat.host.home)(id);
  markSession(chat.host.home, id, verb === 'pin' ? { pinned: !pinned } : { archived: !archived });
  const newState =
    verb === 'pin' ? (pinned ? 'no longer pinned' : 'pinned') : archived ? 'no longer archived' : 'archived';
  return oneLine(`Session ${sessionRef} is ${newState}.`);
}

async function sessionAt(chat: TerminalChat, sessionRef: string): Promise<SessionSummary> {
  const otherSessions = await others(chat);
  const session =
    (sessionRef.length < 4 ? otherSessions[Number(sessionRef) - 1] : undefined) ??
    sessionById(sessionRef, otherSessions);
  if (session !== undefined) return session;
  throw new ToolError(
    'SESSION_NOT_FOUND',
    `There is no session ${JSON.stringify(sessionRef)} here. /sessions lists them.`,
  );
}

const resume: ChatCommand = {
  name: 'resume',
  words: '[NUMBER|ID]',
  summary: 'resume an earlier session',
  async run([sessionRef], context) {
    const { chat } = context;
    if (sessionRef === undefined) {
      const id = await pick(context);
      return id === undefined ? oneLine('Nothing was changed.') : { lines: [], resume: id };
    }
    const { id, workspace } = await sessionAt(chat, sessionRef);
    if (isInFolder(chat, workspace)) return { lines: [], resume: id };
    return oneLine(`That session works in ${workspace}. Open it with: codelab --session ${id}`);
  },
};

/** A chat works in one folder: the workspace, or one worktree. */
function isInFolder({ host }: TerminalChat, workspace: string): boolean {
  return host.workspace.root.real === workspace;
}

/** From a list where the user can choose; else the latest. */
async function pick({ chat, withTerminal, signal }: CommandContext): Promise<string | undefined> {
  const inFolder = (await matchingSessions(chat, '')).filter(({ workspace }) => isInFolder(chat, workspace));
  if (withTerminal === undefined || inFolder.length < 2) return inFolder[0]?.id;
  let picked: string | undefined;
  await withTerminal(async (terminal) => {
    const items = inFolder.map(({ id, title, when, state, isPinned }) => ({
      label: `${when}  ${isPinned ? '★ ' : ''}${visibleLine(title)}`,
      hint: state,
      value: id,
    }));
    picked = await pickFromList(terminal, { title: 'Which session?', items, signal });
  });
  return picked;
}

const fork: ChatCommand = {
  name: 'fork',
  words: '',
  summary: 'continue in a new session that starts with this one',
  async run(_words, { chat }) {
    const { session, log, host } = chat;
    const events = await log.read(session);
    const last = events.at(-1);
    if (last === undefined) return oneLine('There is nothing to branch off from yet.');
    const id = randomId();
    const forked = await forkEntry(log, host.workspace.root.real, { session, seq: last.seq });
    await log.append(id, [forked], { expected: 0 });
    await chat.change({ session: id });
    const sessions = await log.sessions();
    return oneLine(
      `Now in ${shortId(id, sessions)}, a copy of the conversation so far. ${shortId(session, sessions)} stays as it is.`,
    );
  },
};

const shorten: ChatCommand = {
  name: 'compact',
  words: '',
  summary: 'summarize the earlier conversation',
  async run(_words, { chat, signal }) {
    const { agent, conversation } = chat;
    const before = conversation.messages.length;
    const prefix = await requestPrefix(agent, conversation, signal);
    const isDone = await compact(agent, conversation, signal, { prefix, isForced: true });
    return oneLine(
      isDone
        ? `${before} messages became ${conversation.messages.length}. The log keeps everything.`
        : 'There is nothing to summarize yet.',
    );
  },
};

const context: ChatCommand = {
  name: 'context',
  words: '[add|remove|clear]',
  summary: 'files the model sees at every turn',
  async run([verb, ...rest], { chat }) {
    const { host, session, conversation } = chat;
    const path = rest.join(' ').replace(/^@/, '');
    const list = (): CommandResult =>
      conversation.pinned.size === 0
        ? oneLine('No file is pinned. /context add PATH pins one.')
        : { lines: [...conversation.pinned].map((path) => `  • ${visibleLine(path)}`) };
    if (verb === undefined || verb === 'list') return list();
    if (verb === 'clear') await changeContext(host, session, { op: 'clear' });
    else if ((verb === 'add' || verb === 'remove') && path !== '')
      await changeContext(host, session, { op: `${verb}_file`, path });
    else return oneLine('/context, /context add PATH, /context remove PATH or /context clear.');
    return list();
  },
};

/** The other sessions of this workspace, newest first. */
async function others(chat: TerminalChat): Promise<SessionSummary[]> {
  return (await sessionsHere(chat)).filter(({ id }) => id !== chat.session);
}

function oneLine(line: string): CommandResult {
  return { lines: [`  ${visibleLine(line)}`] };
}

const againCommand: ChatCommand = {
  name: 'again',
  words: '',
  summary: 'repeat an approval that expired',
  run: (_words, { chat }) =>
    chat.conversation.isTurnOpen
      ? { lines: [], next: 'finish' }
      : { lines: ['  No approval is pending. Send a message instead.'] },
};

export const sessionCommands: readonly ChatCommand[] = [
  create,
  sessions,
  resume,
  fork,
  shorten,
  context,
  againCommand,
];
