// What a peer's sessions have used: each of them, and all together by day.
import { setImmediate as otherWork } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { readInput } from '../../edge/read-input.ts';
import type { Gateway } from '../../sessions/gateway.ts';
import { createSessionFold } from '../work/session-fold.ts';
import { addUsed, nothingUsed, noWaits, type Used, usageFold, waitSteps } from '../work/usage-fold.ts';

const mostSessions = 2000;
const mostDays = 366;
// Others are served while many logs are read for the first time.
const sliceMs = 20;

const Wanted = () =>
  z.object({
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(mostSessions)), 500),
  });

export function usageRoutes(app: FastifyInstance, gateway: Gateway): void {
  const usageOf = createSessionFold(gateway.host.log, usageFold, { most: mostSessions });

  const about = { summary: 'Tokens, cost and waiting times, of each session and by day', query: Wanted };
  app.get('/api/v1/usage', { config: { about } }, async ({ peer, query }) => {
    const { limit } = readInput(Wanted(), query);
    const all = await gateway.sessions(peer);
    const days = new Map<string, Used>();
    const total = nothingUsed();
    const waits = noWaits();
    const sessions: object[] = [];
    let since = performance.now();
    for (const { id, head, lastAt } of all.slice(0, limit)) {
      const { title, all: used, byDay, waits: ofSession } = await usageOf(id, head);
      sessions.push({ id, title, updated_at: new Date(lastAt).toISOString(), ...used });
      addUsed(total, used);
      for (const [at, count] of ofSession.entries()) waits[at] = (waits[at] ?? 0) + count;
      for (const [day, one] of byDay) {
        const sum = days.get(day) ?? nothingUsed();
        days.set(day, sum);
        addUsed(sum, one);
      }
      if (performance.now() - since < sliceMs) continue;
      await otherWork();
      since = performance.now();
    }
    const left_out = Math.max(0, all.length - limit);
    return { sessions, total, by_day: newestDays(days), waits: spelled(waits), left_out };
  });
}

function spelled(waits: readonly number[]): object[] {
  return waits.map((count, at) => ({ up_to_ms: waitSteps[at] ?? null, count }));
}

function newestDays(days: ReadonlyMap<string, Used>): object[] {
  const inOrder = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.slice(-mostDays).map(([day, used]) => ({ day, ...used }));
}
