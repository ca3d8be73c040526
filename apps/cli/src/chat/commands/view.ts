// Commands that show the conversation: a turn in full in the pager, a search, the whole of it as a file.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type SessionEvent, ToolError, visibleLine } from '@codelab/protocol';
import { shownLine } from '../../output/shown-text.ts';
import { cutToWidth } from '../../output/text-width.ts';
import type { ChatCommand, CommandContext, CommandResult } from './chat-command.ts';

const mostFound = 30;

const show: ChatCommand = {
  name: 'show',
  words: '[TURN|all]',
  summary: 'the latest turn in full, with all outputs, in your pager (Ctrl-O)',
  isAnytime: ([turnWord]) => turnWord === undefined || turnWord === 'all' || isTurn(turnWord),
  async run([turnWord], context) {
    const { chat, withTerminal, signal } = context;
    if (turnWord !== undefined && turnWord !== 'all' && !isTurn(turnWord))
      return warned(context, '/show takes the number of a turn, or `all`.');
    const turn = turnWord === 'all' ? turnWord : Number(turnWord ?? chat.conversation.turn);
    const lines = await fullLines(turn, context);
    if (lines.length === 0) return { lines: ['  That turn has no messages.'] };
    if (withTerminal === undefined) return { lines };
    const { openPager } = await import('../../terminal/pager.ts');
    await withTerminal((terminal) => openPager(terminal, { lines, signal }));
    return { lines: [] };
  },
};

async function fullLines(turn: number | 'all', { chat, paint, columns }: CommandContext): Promise<string[]> {
  const { fullTurnLines } = await import('../full-turn.ts');
  const tell = chat.agent.host.tell;
  return fullTurnLines(await chat.agent.log.read(), turn, {
    paint,
    columns,
    describeOutcome: (outcome) => tell(outcome),
  });
}

const find: ChatCommand = {
  name: 'find',
  words: 'TEXT',
  summary: 'find a text in this conversation',
  isAnytime: true,
  async run(words, context) {
    const query = words.join(' ').toLowerCase();
    if (query === '') return warned(context, '/find takes the text to search for.');
    const { chat, columns, paint } = context;
    const matches = matchesIn(await chat.agent.log.read(), query);
    if (matches.length === 0)
      return { lines: [`  Nothing in this conversation contains ${JSON.stringify(query)}.`] };
    const rows = matches.slice(-mostFound).map(({ turn, who, line }) => {
      const place = `  turn ${turn} · ${who}: `;
      return paint('dim', place) + cutToWidth(fromMatch(line, query), columns - place.length);
    });
    const hidden = matches.length - rows.length;
    return {
      lines: [
        ...(hidden > 0 ? [paint('dim', `  … ${hidden} earlier`)] : []),
        ...rows,
        '',
        `  /show TURN opens one in full.`,
      ],
    };
  },
};

type Match = { turn: number; who: string; line: string };

/** The messages and the results of calls, line by line. */
export function matchesIn(events: readonly SessionEvent[], query: string): Match[] {
  let turn = 0;
  return events.flatMap(({ body }) => {
    if (body.type === 'turn.started') turn = body.turn;
    const lines = textsOf(body).flatMap(({ who, text }) =>
      text.split('\n').map((line) => ({ turn, who, line })),
    );
    return lines.filter(({ line }) => line.toLowerCase().includes(query));
  });
}

function textsOf(body: SessionEvent['body']): { who: string; text: string }[] {
  if (body.type === 'turn.started' || body.type === 'turn.steered') return [{ who: 'you', text: body.text }];
  if (body.type === 'model.replied') return [{ who: 'agent', text: body.reply.text }];
  if (body.type === 'call.received')
    return [
      {
        who: body.call.tool,
        text: Object.values(body.call.args)
          .filter((value) => typeof value === 'string')
          .join('\n'),
      },
    ];
  if (body.type !== 'call.finished' || body.outcome.status !== 'completed') return [];
  const { stdout = '', stderr = '' } = body.outcome.data;
  return [{ who: 'output', text: `${String(stdout)}\n${String(stderr)}` }];
}

/** The part of a line around the match. */
function fromMatch(line: string, query: string): string {
  const at = line.toLowerCase().indexOf(query);
  return shownLine((at > 60 ? `…${line.slice(at - 40)}` : line).trim());
}

const exportTo: ChatCommand = {
  name: 'export',
  words: '[FILE]',
  summary: 'write this conversation to a Markdown file',
  async run(words, { chat }) {
    const name = words.join(' ') || `codelab-${chat.session.slice(0, 8)}.md`;
    const file = resolve(process.cwd(), name);
    const { exportMarkdown } = await import('../export-markdown.ts');
    const text = exportMarkdown(await chat.agent.log.read());
    try {
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      const problem = isThere
        ? 'already exists. Choose another name: /export FILE'
        : `could not be written: ${String(error)}`;
      throw new ToolError('INVALID_ARGUMENTS', `${visibleLine(file)} ${problem}`);
    }
    return { lines: [`  Written to ${visibleLine(file)}`] };
  },
};

function isTurn(word: string): boolean {
  return /^[1-9]\d{0,8}$/.test(word);
}

function warned({ paint }: CommandContext, text: string): CommandResult {
  return { lines: [paint('yellow', `  ${text}`)] };
}

export const viewCommands: readonly ChatCommand[] = [show, find, exportTo];
