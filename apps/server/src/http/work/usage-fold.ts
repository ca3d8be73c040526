// What a session has used: turns, tokens, cost, calls, and how long people were waited for; in all and by day.
import type { UsageSum } from '@codelab/api';
import { type Outcome, type SessionEvent, titleFrom } from '@codelab/protocol';
import type { Fold } from './session-fold.ts';

export type UsageTotals = {
  title: string;
  all: UsageSum;
  /** The sums by date in UTC. */
  byDay: Map<string, UsageSum>;
  /** Approvals that wait, and since when. */
  waiting: Map<string, number>;
  /** How many waited so long, by `waitSteps`; the last is whatever was longer. */
  waits: number[];
};

export const waitSteps: readonly number[] = [2000, 10_000, 30_000, 60_000, 300_000, 1_800_000];

export const usageFold: Fold<UsageTotals> = {
  blank: () => ({ title: '', all: nothingUsed(), byDay: new Map(), waiting: new Map(), waits: noWaits() }),
  take(usage, event) {
    takeTitle(usage, event);
    const change = usedBy(usage, event);
    if (change === undefined) return;
    const day = new Date(event.time).toISOString().slice(0, 10);
    const ofDay = usage.byDay.get(day) ?? nothingUsed();
    usage.byDay.set(day, ofDay);
    addUsed(usage.all, change);
    addUsed(ofDay, change);
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

function usedBy(
  { waiting, waits }: UsageTotals,
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
    case 'call.finished':
      return { calls: 1, failed_calls: hasFailed(body.outcome) ? 1 : 0 };
    case 'approval.requested':
      waiting.set(body.approval.id, time);
      return { approvals: 1 };
    case 'approval.decided':
    case 'approval.expired': {
      const since = waiting.get(body.approvalId) ?? time;
      waiting.delete(body.approvalId);
      const waited = Math.max(0, time - since);
      const step = waitSteps.findIndex((most) => waited <= most);
      const at = step === -1 ? waitSteps.length : step;
      waits[at] = (waits[at] ?? 0) + 1;
      return { waited_ms: waited };
    }
    default:
      return undefined;
  }
}

/** A command that exits non-zero has run, but it did not succeed. */
function hasFailed(outcome: Outcome): boolean {
  if (outcome.status !== 'completed') return true;
  const code = outcome.data.exit_code;
  return typeof code === 'number' && code !== 0;
}

function takeTitle(usage: UsageTotals, { body }: SessionEvent): void {
  if ((body.type === 'session.titled' || body.type === 'session.opened') && body.title !== undefined)
    usage.title = body.title;
  if (body.type === 'turn.started' && body.agent === undefined && usage.title === '')
    usage.title = titleFrom(body.text);
}
