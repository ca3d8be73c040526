// Commands that show tools, skills, todos, cost and rules.
import { estimateTokens } from '@codelab/agent';
import { visibleLine } from '@codelab/protocol';
import { latestTodos, ruleMatches } from '@codelab/runtime';
import { availableSkills } from '@codelab/server/agent';
import { cutToWidth, columns as lineUp } from '../../output/text-width.ts';
import type { TerminalChat } from '../chat.ts';
import { money } from '../screen/status-line.ts';
import { todoLines } from '../screen/todos.ts';
import type { ChatCommand } from './chat-command.ts';

const tools: ChatCommand = {
  name: 'tools',
  words: '',
  summary: 'list the tools the agent can use',
  isAnytime: true,
  async run(_words, { chat, columns, signal }) {
    const { agent } = chat;
    const tools = await agent.host.tools(agent.profile.name, signal);
    const rows = tools.map(({ name, kind, summary }) => [visibleLine(name), kind, visibleLine(summary)]);
    return { lines: lineUp(rows).map((line) => cutToWidth(`  ${line}`, columns)) };
  },
};

const skills: ChatCommand = {
  name: 'skills',
  words: '',
  summary: 'list the skills available here',
  isAnytime: true,
  async run(_words, { chat, columns }) {
    const { host, session, agent } = chat;
    const skills = await availableSkills(host, { session, profile: agent.profile.name });
    if (skills.length === 0) return { lines: ['  No skills here.'] };
    const rows = skills.map(({ name, description }) => [`  ${visibleLine(name)}`, visibleLine(description)]);
    const hint = '  To use one, type @skill:NAME in a message.';
    return { lines: [...lineUp(rows).map((line) => cutToWidth(line, columns)), '', hint] };
  },
};

const todos: ChatCommand = {
  name: 'todos',
  words: '',
  summary: 'show the agent’s todo list',
  isAnytime: true,
  async run(_words, { chat, paint }) {
    const todos = await latestTodos(await chat.host.session(chat.session));
    return { lines: todos.length === 0 ? ['  No todo list yet.'] : todoLines(todos, paint) };
  },
};

const cost: ChatCommand = {
  name: 'cost',
  words: '',
  summary: 'show tokens and cost of this session',
  isAnytime: true,
  run(_words, context) {
    const { usage } = context.chat;
    return {
      lines: lineUp([
        ['  replies', String(usage.replies)],
        ['  input', `${usage.inputTokens} tokens, ${usage.cachedTokens} of them cached`],
        ['  output', `${usage.outputTokens} tokens`],
        ['  cost', costText(context.chat)],
        ['  context', contextText(context.chat)],
      ]),
    };
  },
};

type Spent = { usage: TerminalChat['usage']; agent: { model: { name: string } } };

/** A sum that omits replies says so, and how to set the missing price. */
export function costText({ usage, agent }: Spent): string {
  if (agent.model.name === 'demo') return 'none: the demo model is a script';
  const { cost, unpriced, replies } = usage;
  if (cost !== undefined && unpriced === 0) return money(cost);
  if (unpriced === 0 && replies > 0) return 'none';
  const [provider = '', ...id] = agent.model.name.split('/');
  const hint = `set it: codelab model add ${provider} --price IN/OUT --for ${id.join('/')}`;
  if (cost === undefined) return `unknown: no price is set for this model · ${hint}`;
  const missing = unpriced === 1 ? '1 reply has no price' : `${unpriced} replies have no price`;
  return `${money(cost)} for ${replies - unpriced} of ${replies} replies; ${missing} · ${hint}`;
}

export function contextText({ conversation, agent }: TerminalChat): string {
  const { contextTokens } = agent.model;
  const tokens = conversation.tokensWith(estimateTokens(agent.profile.prompt));
  const percent = Math.round(Math.min(1, tokens / contextTokens) * 100);
  return `about ${tokens} of ${contextTokens} tokens (${percent}%) · /compact shortens the conversation`;
}

const permissions: ChatCommand = {
  name: 'permissions',
  words: '',
  summary: 'show the mode and your own rules',
  isAnytime: true,
  async run(_words, { chat, columns }) {
    const { host, session, mode } = chat;
    const configured = host.rules.list().filter(({ layer }) => layer !== 'built-in');
    const sessionRules = (await host.session(session)).rules.map((rule) => ({ layer: 'session', rule }));
    const rows = [...configured, ...sessionRules].map(({ layer, rule }) => [
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
