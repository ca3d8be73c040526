// Routes of the record: verification of a session, and the cost of models.
import * as z from 'zod/mini';
import { defineRoute } from '../route.ts';
import { countFromOne, lazily, time } from '../shared.ts';

/** The record of a session: verifying that it is complete, and exporting it. */
const base = '/api/v1/sessions/{id}/audit';

const SessionProof = lazily(() =>
  z.strictObject({
    ok: z.boolean(),
    entries: z.number(),
    broken: z.optional(z.strictObject({ seq: z.number(), why: z.string() })),
  }),
);
export type SessionProof = z.infer<ReturnType<typeof SessionProof>>;

export const auditRoutes = {
  verify: defineRoute({
    id: 'verifyAudit',
    method: 'GET',
    path: `${base}/verify`,
    summary: 'Verifies every entry of a session’s record, or names the first broken one',
    answer: SessionProof,
  }),
  export: defineRoute({
    id: 'exportAudit',
    method: 'GET',
    path: `${base}/export`,
    summary: 'Every entry of a session as a line of JSON',
    media: ['application/x-ndjson'],
  }),
};

/** The usage of a user's sessions: each of them, and the total by day. */
const used = () => ({
  turns: z.number(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  tokens_cached: z.number(),
  /** In US dollars, for turns with a known price; null while there are none. */
  cost_usd: z.nullable(z.number()),
  /** Turns that used tokens of a model without a price: `cost_usd` leaves these out. */
  unpriced_turns: z.number(),
  calls: z.number(),
  failed_calls: z.number(),
  approvals: z.number(),
  /** Time spent waiting for people. */
  waited_ms: z.number(),
});

const UsageSum = lazily(() => z.strictObject(used()));
export type UsageSum = z.infer<ReturnType<typeof UsageSum>>;

const SessionUsage = lazily(() =>
  z.strictObject({ id: z.string(), title: z.string(), updated_at: time(), ...used() }),
);
export type SessionUsage = z.infer<ReturnType<typeof SessionUsage>>;

/** Days are in UTC. */
const DayUsage = lazily(() => z.strictObject({ day: z.string(), ...used() }));
export type DayUsage = z.infer<ReturnType<typeof DayUsage>>;

/** A turn of a session; `cost_usd` is null while the price of its model is unknown. */
const TurnUsage = lazily(() =>
  z.strictObject({
    session: z.string(),
    turn: z.number(),
    text: z.string(),
    started_at: time(),
    tokens_in: z.number(),
    tokens_out: z.number(),
    cost_usd: z.nullable(z.number()),
    /** Whether `cost_usd` leaves replies out that have no price. */
    is_partial: z.boolean(),
  }),
);
export type TurnUsage = z.infer<ReturnType<typeof TurnUsage>>;

/** Number of approvals that waited up to this long; null means longer than all others. */
const WaitTimes = lazily(() => z.strictObject({ up_to_ms: z.nullable(z.number()), count: z.number() }));
export type WaitTimes = z.infer<ReturnType<typeof WaitTimes>>;

const UsageReport = lazily(() =>
  z.strictObject({
    sessions: z.array(SessionUsage()),
    total: UsageSum(),
    by_day: z.array(DayUsage()),
    /** The latest turns, the newest first. */
    by_turn: z.array(TurnUsage()),
    waits: z.array(WaitTimes()),
    /** Models that were used and have no price, those with the most turns first. */
    unpriced_models: z.array(z.strictObject({ model: z.string(), turns: z.number() })),
    left_out: z.number(),
  }),
);
export type UsageReport = z.infer<ReturnType<typeof UsageReport>>;

export const usageRoutes = {
  get: defineRoute({
    id: 'getUsage',
    method: 'GET',
    path: '/api/v1/usage',
    summary: 'Tokens, cost and waiting times of each session, or of a named one, by day and by turn',
    query: () => z.object({ limit: z._default(countFromOne(2000), 500), session: z.optional(z.string()) }),
    answer: UsageReport,
  }),
};
