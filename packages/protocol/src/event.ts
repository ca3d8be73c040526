// The session log's entries. A session is nothing but the ordered list of these.
import * as z from 'zod/mini';
import { CallId, SessionId, ToolCall } from './call.ts';
import { conversationEvents } from './conversation-event.ts';
import { ApprovalRequest, DecidedBy, Decision } from './decision.ts';
import { DialectName } from './limits.ts';
import { Effect, Outcome } from './outcome.ts';
import { Plan } from './plan.ts';
import { lazily } from './schema.ts';
import { Rule, Verdict } from './verdict.ts';

/** The process that runs a call; when it is gone without an outcome, the call's outcome is unknown. */
export const Owner = lazily(() =>
  z.strictObject({
    host: z.string(),
    pid: z.int(),
    /** On Linux the boot id and the start tick, elsewhere `unknown`. */
    startedAt: z.string(),
    /** The Linux pid namespace: a container made anew has another one, and its pids mean other processes. */
    pidNamespace: z.optional(z.string()),
  }),
);
export type Owner = z.infer<ReturnType<typeof Owner>>;

/** A client that carries calls out. One that is named is the same one when it comes back, and remembers what it has begun. */
export const Executor = lazily(() =>
  z.strictObject({ id: z.string(), who: z.string(), isNamed: z.boolean() }),
);
export type Executor = z.infer<ReturnType<typeof Executor>>;

export const RecoveredFile = lazily(() =>
  z.strictObject({ path: z.string(), action: z.enum(['restored', 'failed']) }),
);
export type RecoveredFile = z.infer<ReturnType<typeof RecoveredFile>>;

export const EventBody = lazily(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('session.opened'),
      workspace: z.string(),
      title: z.optional(z.string()),
      /** Whose it is, where several people share a gateway; without it, the operator's. */
      owner: z.optional(z.string()),
      /** Its calls are carried out by a client that has the files, not where the log is. */
      executor: z.optional(z.literal('client')),
      /** Whose tools that client has; the plugin's when nothing is said. */
      dialect: z.optional(DialectName()),
      /** What was said before is read there, up to that entry. */
      forkedFrom: z.optional(z.strictObject({ session: SessionId(), seq: z.int() })),
    }),
    ...conversationEvents(),
    z.strictObject({ type: z.literal('call.received'), call: ToolCall() }),
    z.strictObject({ type: z.literal('call.planned'), callId: CallId(), plan: Plan(), verdict: Verdict() }),
    z.strictObject({ type: z.literal('approval.requested'), callId: CallId(), approval: ApprovalRequest() }),
    z.strictObject({
      type: z.literal('approval.warned'),
      callId: CallId(),
      approvalId: z.string(),
      secondsLeft: z.int(),
    }),
    z.strictObject({
      type: z.literal('approval.decided'),
      callId: CallId(),
      approvalId: z.string(),
      decision: Decision(),
      by: DecidedBy(),
    }),
    z.strictObject({ type: z.literal('approval.expired'), callId: CallId(), approvalId: z.string() }),
    z.strictObject({
      type: z.literal('call.started'),
      callId: CallId(),
      owner: Owner(),
      args: z.record(z.string(), z.unknown()),
      intents: z.array(Effect()),
      /** Where old things are kept while and after it runs. */
      slot: z.string(),
    }),
    /** On the disk before the client hears of it, so that no other one is ever given the same call. */
    z.strictObject({ type: z.literal('call.taken'), callId: CallId(), executor: Executor() }),
    z.strictObject({
      type: z.literal('call.finished'),
      callId: CallId(),
      outcome: Outcome(),
      turn: z.optional(z.int()),
    }),
    /** After a power failure: files of a finished call that the disk had lost, written again from its journal. */
    z.strictObject({ type: z.literal('call.recovered'), callId: CallId(), files: z.array(RecoveredFile()) }),
    z.strictObject({ type: z.literal('rule.remembered'), rule: Rule(), by: DecidedBy() }),
  ]),
);
export type EventBody = z.infer<ReturnType<typeof EventBody>>;

export const SessionEvent = lazily(() =>
  z.strictObject({
    session: SessionId(),
    seq: z.int().check(z.positive()),
    time: z.number(),
    hash: z.string(),
    body: EventBody(),
  }),
);
export type SessionEvent = z.infer<ReturnType<typeof SessionEvent>>;
