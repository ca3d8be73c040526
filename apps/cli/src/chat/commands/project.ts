// Commands about the project: its status, and an AGENTS.md for it.
import { visibleLine } from '@codelab/protocol';
import { initPrompt, rootInstructions } from '@codelab/server/agent';
import { instructionRows } from '../../instructions/trust-question.ts';
import { modeMeanings } from '../../mode/mode-words.ts';
import { cutToWidth, columns as lineUp } from '../../output/text-width.ts';
import { readTree } from '../screen/chat-status.ts';
import type { ChatCommand } from './chat-command.ts';
import { contextText, costText } from './status.ts';

const status: ChatCommand = {
  name: 'status',
  words: '',
  summary: 'show model, mode, context, cost, changes, session and instructions',
  isAnytime: true,
  async run(_words, { chat, columns }) {
    const { host, agent, session, mode } = chat;
    const root = host.workspace.root.real;
    // Includes the instructions of folders that calls have touched.
    const inUse = await agent.texts.instructions();
    const { trust, problems } = await rootInstructions(host.home, root);
    const files = inUse.files.map(({ name, text }) => ({ from: 'workspace' as const, path: name, text }));
    const [first = ['none'], ...otherRows] = instructionRows({
      files,
      untrusted: inUse.untrusted,
      trust,
      problems,
    });
    const { branch, changes } = await readTree(chat);
    const rows = [
      ['model', agent.model.name],
      ['role', agent.profile.name],
      ['mode', `${mode}: ${modeMeanings[mode]}`],
      ['context', contextText(chat)],
      ['cost', costText(chat)],
      ...(branch === undefined ? [] : [['branch', branch]]),
      ['changes', changes === undefined ? 'none' : `+${changes.added} −${changes.removed} · /diff all`],
      ['session', session],
      ['workspace', root],
      ['instructions', first.join('  ')],
      ...otherRows.map((row) => ['', row.join('  ')]),
    ];
    const lines = lineUp(rows.map(([label = '', text = '']) => [`  ${label}`, visibleLine(text)]));
    return { lines: lines.map((line) => cutToWidth(line, columns)) };
  },
};

const init: ChatCommand = {
  name: 'init',
  words: '',
  summary: 'let the agent write an AGENTS.md for this project',
  run: () => ({ lines: [], ask: initPrompt }),
};

export const projectCommands: readonly ChatCommand[] = [status, init];
