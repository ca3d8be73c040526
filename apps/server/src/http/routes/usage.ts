// The usage of a peer's sessions: each of them, and the total by day.
import { setImmediate as otherWork } from 'node:timers/promises';
import {
  type DayUsage,
  type SessionUsage,
  type TurnUsage,
  type UsageSum,
  usageRoutes,
  type WaitTimes,
} from '@codelab/api';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../sessions/gateway.ts';
import { serveRoute } from '../route.ts';
import type { ModelSettings } from '../settings/model-settings.ts';
import { createSessionFold } from '../work/session-fold.ts';
import { addUsed, nothingUsed, noWaits, openPricing, usageFold, waitSteps } from '../work/usage-fold.ts';

const mostSessions = 2000;
const mostDays = 366;
const mostTurns = 200;
// Other requests are served while many logs are read for the first time.
const sliceMs = 20;

export function serveUsage(app: FastifyInstance, gateway: Gateway, settings: ModelSettings): void {
  const usageOf = createSessionFold(gateway.host.log, usageFold, { most: mostSessions });

  serveRoute(app, usageRoutes.get, async ({ peer, query: { limit, session } }) => {
    const visible = await gateway.sessions(peer);
    const chosenSessions = session === undefined ? visible : visible.filter(({ id }) => id === session);
    const days = new Map<string, UsageSum>();
    const total = nothingUsed();
    const waits = noWaits();
    const price = openPricing(settings.sources());
    const sessions: SessionUsage[] = [];
    const turns: TurnUsage[] = [];
    let since = performance.now();
    for (const { id, head, lastAt } of chosenSessions.slice(0, limit)) {
      const folded = await usageOf(id, head);
      const { title, waits: ofSession } = folded;
      const { used, byDay } = price.apply(folded);
      sessions.push({ id, title, updated_at: new Date(lastAt).toISOString(), ...used });
      for (const turn of price.turns(folded)) turns.push({ session: id, ...turn });
      addUsed(total, used);
      for (const [at, count] of ofSession.entries()) waits[at] = (waits[at] ?? 0) + count;
      for (const [day, totals] of byDay) {
        const sum = days.get(day) ?? nothingUsed();
        days.set(day, sum);
        addUsed(sum, totals);
      }
      if (performance.now() - since < sliceMs) continue;
      await otherWork();
      since = performance.now();
    }
    const left_out = Math.max(0, chosenSessions.length - limit);
    return {
      ...{
        sessions,
        total,
        by_day: newestDays(days),
        by_turn: newestTurns(turns),
        waits: spelled(waits),
        left_out,
      },
      unpriced_models: price.missing(),
    };
  });
}

function spelled(waits: readonly number[]): WaitTimes[] {
  return waits.map((count, at) => ({ up_to_ms: waitSteps[at] ?? null, count }));
}

function newestTurns(turns: readonly TurnUsage[]): TurnUsage[] {
  const newest = turns.toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1));
  return newest.slice(0, mostTurns);
}

function newestDays(days: ReadonlyMap<string, UsageSum>): DayUsage[] {
  const inOrder = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.slice(-mostDays).map(([day, used]) => ({ day, ...used }));
}
