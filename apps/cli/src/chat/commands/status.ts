// Commands that show tools, skills, todos, cost and rules.
import { estimateTokens } from '@codelab/agent';
import { visibleLine } from '@codelab/protocol';
import { latestTodos, ruleMatches } from '@codelab/runtime';
import { availableSkills } from '@codelab/server/agent';
import { cutToWidth, columns as lineUp } from '../../output/text-width.ts';
import { money } from '../screen/status-line.ts';
import { todoLines } from '../screen/todos.ts';
import type { ChatCommand, CommandContext } from './chat-command.ts';

const tools: ChatCommand = {
  name: 'tools',
  words: '',
  summary: 'the tools the agent may use',
  isAnytime: true,
  async run(_words, { chat, columns, signal }) {
    const { agent } = chat;
    const found = await agent.host.tools(agent.profile.name, signal);
    const rows = found.map(({ name, kind, summary }) => [visibleLine(name), kind, visibleLine(summary)]);
    return { lines: lineUp(rows).map((line) => cutToWidth(`  ${line}`, columns)) };
  },
};

const skills: ChatCommand = {
  name: 'skills',
  words: '',
  summary: 'the skills the agent can use here',
  isAnytime: true,
  async run(_words, { chat, columns }) {
    const { host, session, agent } = chat;
    const found = await availableSkills(host, { session, profile: agent.profile.name });
    if (found.length === 0) return { lines: ['  No skills here.'] };
    const rows = found.map(({ name, description }) => [`  ${visibleLine(name)}`, visibleLine(description)]);
    const how = '  @skill:NAME in a message brings one along.';
    return { lines: [...lineUp(rows).map((line) => cutToWidth(line, columns)), '', how] };
  },
};

const todos: ChatCommand = {
  name: 'todos',
  words: '',
  summary: 'the todo list of the agent',
  isAnytime: true,
  async run(_words, { chat, paint }) {
    const found = await latestTodos(await chat.host.session(chat.session));
    return { lines: found.length === 0 ? ['  No todo list yet.'] : todoLines(found, paint) };
  },
};

const cost: ChatCommand = {
  name: 'cost',
  words: '',
  summary: 'tokens and cost of this session',
  isAnytime: true,
  run(_words, context) {
    const { usage, agent } = context.chat;
    const price = usage.cost === undefined ? 'not known for this model' : money(usage.cost);
    return {
      lines: lineUp([
        ['  answers', String(usage.replies)],
        [
          '  tokens in',
          `${usage.inputTokens}${usage.cachedTokens > 0 ? `, ${usage.cachedTokens} of them cached` : ''}`,
        ],
        ['  tokens out', String(usage.outputTokens)],
        ['  cost', agent.model.name === 'demo' ? 'none: the demo model is a script' : price],
        ['  context', contextText(context)],
      ]),
    };
  },
};

function contextText({ chat }: CommandContext): string {
  const { talk, agent } = chat;
  const tokens = talk.tokensWith(estimateTokens(agent.profile.prompt));
  return `about ${tokens} of ${agent.model.contextTokens} tokens`;
}

const permissions: ChatCommand = {
  name: 'permissions',
  words: '',
  summary: 'the mode and your own rules',
  isAnytime: true,
  async run(_words, { chat, columns }) {
    const { host, session, mode } = chat;
    const own = host.rules.list().filter(({ layer }) => layer !== 'built-in');
    const here = (await host.session(session)).rules.map((rule) => ({ layer: 'session', rule }));
    const rows = [...own, ...here].map(({ layer, rule }) => [
      `  ${rule.effect}`,
      layer,
      visibleLine(rule.id),
      ruleMatches(rule),
    ]);
    const rules = rows.length === 0 ? ['  No rules of your own.'] : lineUp(rows);
    return {
      lines: [`  Mode ${mode}.`, ...rules.map((line) => cutToWidth(line, columns))],
    };
  },
};

export const statusCommands: readonly ChatCommand[] = [tools, skills, todos, cost, permissions];
