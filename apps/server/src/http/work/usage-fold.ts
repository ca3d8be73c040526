// The usage of a session: turns, tokens, cost, calls, and how long approvals waited; in total and by day.
import { costOf, type ModelSources, priceOf } from '@codelab/agent';
import type { TurnUsage, UsageSum } from '@codelab/api';
import { type SessionEvent, type ToolCall, titleFrom } from '@codelab/protocol';
import { reviewTools } from '../routes/review.ts';
import type { Fold } from './session-fold.ts';

export type UsageTotals = {
  title: string;
  all: UsageSum;
  /** The sums by date in UTC. */
  byDay: Map<string, UsageSum>;
  /** Approvals that wait, and since when. */
  waiting: Map<string, number>;
  /** Calls that a person made to undo, discard or commit: not the agent's work. */
  ownCalls: Set<string>;
  /** Counts of waits by `waitSteps`; the last counts all longer ones. */
  waits: number[];
  /** Tokens without a cost, by day and model: their cost is known once a price is set. */
  unpriced: Map<string, UnpricedUse>;
  /** The latest turns by number, with the tokens of each that have no cost yet by model. */
  turns: Map<number, TurnUse>;
};

type TurnUse = {
  turn: number;
  text: string;
  startedAt: number;
  tokensIn: number;
  tokensOut: number;
  cost: number | null;
  unpriced: Map<string, Tokens>;
};

type Tokens = { model: string; fresh: number; cached: number; output: number };

/** How many turns of a session are stored individually. */
const mostTurns = 200;

type UnpricedUse = Tokens & { day: string; turns: Set<number> };

export const waitSteps: readonly number[] = [2000, 10_000, 30_000, 60_000, 300_000, 1_800_000];

export const usageFold: Fold<UsageTotals> = {
  blank: () => ({
    title: '',
    all: nothingUsed(),
    byDay: new Map(),
    waiting: new Map(),
    ownCalls: new Set(),
    waits: noWaits(),
    unpriced: new Map(),
    turns: new Map(),
  }),
  take(usage, event) {
    takeTitle(usage, event);
    takeTurn(usage.turns, event);
    const change = usedBy(usage, event);
    if (change === undefined) return;
    const day = new Date(event.time).toISOString().slice(0, 10);
    const ofDay = usage.byDay.get(day) ?? nothingUsed();
    usage.byDay.set(day, ofDay);
    addUsed(usage.all, change);
    addUsed(ofDay, change);
    noteUnpriced(usage, event, day);
  },
};

export function noWaits(): number[] {
  return Array.from({ length: waitSteps.length + 1 }, () => 0);
}

export function nothingUsed(): UsageSum {
  return {
    turns: 0,
    tokens_in: 0,
    tokens_out: 0,
    tokens_cached: 0,
    cost_usd: null,
    unpriced_turns: 0,
    calls: 0,
    failed_calls: 0,
    approvals: 0,
    waited_ms: 0,
  };
}

export function addUsed(sum: UsageSum, { cost_usd: cost, ...counts }: Partial<UsageSum>): void {
  for (const [name, count] of Object.entries(counts) as [keyof typeof counts, number][]) sum[name] += count;
  if (typeof cost === 'number') sum.cost_usd = (sum.cost_usd ?? 0) + cost;
}

function noteUnpriced({ unpriced }: UsageTotals, { body }: SessionEvent, day: string): void {
  if (body.type !== 'model.replied') return;
  const { model, usage } = body.reply;
  if (!lacksCost(usage)) return;
  const key = `${day} ${model}`;
  const use = unpriced.get(key) ?? { day, turns: new Set(), ...noTokens(model) };
  unpriced.set(key, use);
  addTokens(use, usage);
  use.turns.add(body.turn);
}

/** Usage of sub-agents counts for the running turn. */
function takeTurn(turns: Map<number, TurnUse>, { time, body }: SessionEvent): void {
  if (body.type === 'turn.started' && body.agent === undefined) {
    const { turn } = body;
    const text = titleFrom(body.text);
    const none = { tokensIn: 0, tokensOut: 0, cost: null, unpriced: new Map() };
    turns.set(turn, { turn, text, startedAt: time, ...none });
    if (turns.size > mostTurns) turns.delete(turns.keys().next().value ?? turn);
  }
  const running = body.type === 'model.replied' ? [...turns.values()].at(-1) : undefined;
  if (body.type !== 'model.replied' || running === undefined) return;
  const { model, usage } = body.reply;
  running.tokensIn += usage.inputTokens;
  running.tokensOut += usage.outputTokens;
  if (usage.cost !== undefined) running.cost = (running.cost ?? 0) + usage.cost;
  if (!lacksCost(usage)) return;
  const use = running.unpriced.get(model) ?? noTokens(model);
  running.unpriced.set(model, use);
  addTokens(use, usage);
}

type ReplyUsage = Extract<SessionEvent['body'], { type: 'model.replied' }>['reply']['usage'];

function lacksCost({ cost, inputTokens, outputTokens }: ReplyUsage): boolean {
  return cost === undefined && inputTokens + outputTokens > 0;
}

function noTokens(model: string): Tokens {
  return { model, fresh: 0, cached: 0, output: 0 };
}

function addTokens(use: Tokens, { inputTokens, outputTokens, cachedTokens = 0 }: ReplyUsage): void {
  use.fresh += Math.max(0, inputTokens - cachedTokens);
  use.cached += cachedTokens;
  use.output += outputTokens;
}

function usedBy(
  { waiting, waits, ownCalls }: UsageTotals,
  { time, body }: SessionEvent,
): Partial<UsageSum> | undefined {
  switch (body.type) {
    case 'turn.started':
      return body.agent === undefined ? { turns: 1 } : undefined;
    case 'model.replied': {
      const { inputTokens, outputTokens, cachedTokens = 0, cost } = body.reply.usage;
      const tokens = { tokens_in: inputTokens, tokens_out: outputTokens, tokens_cached: cachedTokens };
      return cost === undefined ? tokens : { ...tokens, cost_usd: cost };
    }
    case 'call.received':
      if (isOwnCall(body.call)) ownCalls.add(body.call.id);
      return undefined;
    case 'call.finished':
      if (ownCalls.delete(body.callId)) return undefined;
      return { calls: 1, failed_calls: body.outcome.status === 'completed' ? 0 : 1 };
    case 'approval.requested':
      waiting.set(body.approval.id, time);
      return { approvals: 1 };
    case 'approval.decided':
    case 'approval.expired': {
      const since = waiting.get(body.approvalId) ?? time;
      waiting.delete(body.approvalId);
      const waited = Math.max(0, time - since);
      const step = waitSteps.findIndex((upperBound) => waited <= upperBound);
      const at = step === -1 ? waitSteps.length : step;
      waits[at] = (waits[at] ?? 0) + 1;
      return { waited_ms: waited };
    }
    default:
      return undefined;
  }
}

const ownTools = new Set(['undo', 'redo', ...reviewTools]);

/** A model that calls over MCP has a name as well. */
function isOwnCall({ tool, turn, by }: ToolCall): boolean {
  return ownTools.has(tool) && turn === undefined && by !== undefined && !by.via.startsWith('mcp');
}

function takeTitle(usage: UsageTotals, { body }: SessionEvent): void {
  if ((body.type === 'session.titled' || body.type === 'session.opened') && body.title !== undefined)
    usage.title = body.title;
  if (body.type === 'turn.started' && body.agent === undefined && usage.title === '')
    usage.title = titleFrom(body.text);
}

const mostModels = 20;

type Pricing = {
  /** A session's usage, including the cost of tokens whose price was set later. */
  apply(folded: UsageTotals): { used: UsageSum; byDay: ReadonlyMap<string, UsageSum> };
  /** The turns of a session, those whose price was set only later with their cost. */
  turns(folded: UsageTotals): Omit<TurnUsage, 'session'>[];
  /** The models without a price among those that were used. */
  missing(): { model: string; turns: number }[];
};

/** `sources` say which prices are known by now. */
export function openPricing(sources: ModelSources): Pricing {
  const prices = new Map<string, ReturnType<typeof priceOf>>();
  const turnsOf = new Map<string, number>();
  const costFor = ({ model, fresh, cached, output }: Tokens): number | undefined => {
    if (!prices.has(model)) prices.set(model, priceOf(model, sources));
    const price = prices.get(model)?.price;
    return costOf({ price }, { fresh, cacheRead: cached, cacheWrite: 0, output });
  };
  return {
    apply({ all, byDay, unpriced }) {
      if (unpriced.size === 0) return { used: all, byDay };
      const used = { ...all };
      const days = new Map([...byDay].map(([day, sum]) => [day, { ...sum }]));
      const open = new Set<number>();
      for (const use of unpriced.values()) {
        const cost = costFor(use);
        if (cost === undefined) {
          for (const turn of use.turns) open.add(turn);
          turnsOf.set(use.model, (turnsOf.get(use.model) ?? 0) + use.turns.size);
        }
        const change = cost === undefined ? { unpriced_turns: use.turns.size } : { cost_usd: cost };
        const ofDay = days.get(use.day);
        if (ofDay !== undefined) addUsed(ofDay, change);
        if (cost !== undefined) addUsed(used, change);
      }
      used.unpriced_turns = open.size;
      return { used, byDay: days };
    },
    turns: ({ turns }) =>
      [...turns.values()].map(({ turn, text, startedAt, tokensIn, tokensOut, cost, unpriced }) => {
        const later = [...unpriced.values()].map(costFor);
        const costs = [cost ?? undefined, ...later].filter((each) => each !== undefined);
        return {
          ...{ turn, text, started_at: new Date(startedAt).toISOString() },
          ...{ tokens_in: tokensIn, tokens_out: tokensOut },
          cost_usd: costs.length === 0 ? null : costs.reduce((sum, each) => sum + each, 0),
          is_partial: later.includes(undefined),
        };
      }),
    missing: () =>
      [...turnsOf]
        .map(([model, turns]) => ({ model, turns }))
        .toSorted((a, b) => b.turns - a.turns)
        .slice(0, mostModels),
  };
}
