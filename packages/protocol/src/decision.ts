// One durable question to a human and the one answer that counts.
import * as z from 'zod/mini';
import { Actor, CallId, SessionId } from './call.ts';
import { Kind } from './kind.ts';
import { lazily } from './lazily.ts';
import { Plan } from './plan.ts';
import { Rule, Verdict } from './verdict.ts';

export const ApprovalRequest = lazily(() =>
  z.strictObject({
    id: z.string(),
    callId: CallId(),
    session: SessionId(),
    tool: z.string(),
    kind: Kind(),
    args: z.record(z.string(), z.unknown()),
    plan: Plan(),
    verdict: Verdict(),
    /** Why it is asked once more: what changed since the last time. */
    again: z.optional(z.string()),
    /** Hash over everything a decision is about; a call that no longer matches it is asked again. */
    binding: z.string(),
    requestedAt: z.number(),
    deadline: z.number(),
  }),
);
export type ApprovalRequest = z.infer<ReturnType<typeof ApprovalRequest>>;

export const Scope = lazily(() => z.enum(['once', 'session', 'workspace', 'user']));
export type Scope = z.infer<ReturnType<typeof Scope>>;

export const Remember = lazily(() =>
  z.strictObject({
    scope: Scope(),
    rule: z.optional(Rule()),
    /** For a tool of others: arguments that may have any value from now on. */
    widen: z.optional(z.array(z.string())),
  }),
);
export type Remember = z.infer<ReturnType<typeof Remember>>;

export const Decision = lazily(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('approve'), remember: z.optional(Remember()) }),
    z.strictObject({
      kind: z.literal('edit'),
      args: z.record(z.string(), z.unknown()),
      feedback: z.optional(z.string()),
    }),
    z.strictObject({
      kind: z.literal('hunks'),
      /** Numbers of the hunks to take, from 1, across files in order. */
      take: z.array(z.int().check(z.positive())),
      feedback: z.optional(z.string()),
    }),
    z.strictObject({
      kind: z.literal('reject'),
      feedback: z.optional(z.string()),
      /** Why a client said no without a human: nobody answered it in time, or the request was one it does not show. */
      cause: z.optional(z.enum(['timeout', 'invalid'])),
      remember: z.optional(Remember()),
    }),
    z.strictObject({ kind: z.literal('answer'), action: z.string() }),
  ]),
);
export type Decision = z.infer<ReturnType<typeof Decision>>;

export const DecidedBy = Actor;
export type DecidedBy = Actor;
