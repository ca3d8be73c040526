// What a peer's sessions have used: each of them, and all together by day.
import * as z from 'zod/mini';
import { route } from './route.ts';
import { countFromOne, lazily, time } from './shared.ts';

const used = () => ({
  turns: z.number(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  tokens_cached: z.number(),
  /** In US dollars; null while no price is known. */
  cost_usd: z.nullable(z.number()),
  calls: z.number(),
  failed_calls: z.number(),
  approvals: z.number(),
  /** How long people were waited for. */
  waited_ms: z.number(),
});

const Used = lazily(() => z.strictObject(used()));
export type Used = z.infer<ReturnType<typeof Used>>;

const UsedSession = lazily(() =>
  z.strictObject({ id: z.string(), title: z.string(), updated_at: time(), ...used() }),
);
export type UsedSession = z.infer<ReturnType<typeof UsedSession>>;

/** Days are UTC. */
const UsedDay = lazily(() => z.strictObject({ day: z.string(), ...used() }));
export type UsedDay = z.infer<ReturnType<typeof UsedDay>>;

/** How many approvals waited up to so long; null is longer than all others. */
const Waits = lazily(() => z.strictObject({ up_to_ms: z.nullable(z.number()), count: z.number() }));
export type Waits = z.infer<ReturnType<typeof Waits>>;

const UsageReport = lazily(() =>
  z.strictObject({
    sessions: z.array(UsedSession()),
    total: Used(),
    by_day: z.array(UsedDay()),
    waits: z.array(Waits()),
    left_out: z.number(),
  }),
);
export type UsageReport = z.infer<ReturnType<typeof UsageReport>>;

export const usageRoutes = {
  get: route({
    id: 'getUsage',
    method: 'GET',
    path: '/api/v1/usage',
    summary: 'Tokens, cost and waiting times, of each session and by day',
    query: () => z.object({ limit: z._default(countFromOne(2000), 500) }),
    answer: UsageReport,
  }),
};
