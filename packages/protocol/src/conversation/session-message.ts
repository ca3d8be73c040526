// The messages to subscribers of a session: the entries of its log in order, and between them transient signals.
import * as z from 'zod/mini';
import { ToolCall } from '../call.ts';
import { ApprovalRequest } from '../decision.ts';
import { SessionEvent } from '../event.ts';
import { lazily } from '../input.ts';
import { Outcome } from '../outcome.ts';
import { TurnEnd } from './conversation-event.ts';
import { Reply } from './reply.ts';

export const AgentStatus = lazily(() =>
  z.enum(['idle', 'thinking', 'executing_tool', 'waiting_approval', 'error']),
);
export type AgentStatus = z.infer<ReturnType<typeof AgentStatus>>;

/** An agent's present activity. Lasting facts are in the log as well. */
export const AgentSignal = lazily(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('status'), status: AgentStatus() }),
    z.strictObject({ type: z.literal('text'), delta: z.string() }),
    z.strictObject({ type: z.literal('reasoning'), delta: z.string() }),
    /** The request to the model is repeated; with `discards`, the text streamed in this step is void. */
    z.strictObject({
      type: z.literal('retry'),
      attempt: z.number(),
      afterMs: z.number(),
      reason: z.string(),
      discards: z.boolean(),
    }),
    z.strictObject({ type: z.literal('reply'), reply: Reply() }),
    z.strictObject({ type: z.literal('call'), call: ToolCall() }),
    z.strictObject({ type: z.literal('approval'), approval: ApprovalRequest() }),
    z.strictObject({
      type: z.literal('decided'),
      approvalId: z.string(),
      decision: z.enum(['approve', 'edit', 'hunks', 'reject', 'answer', 'expired']),
    }),
    z.strictObject({
      type: z.literal('progress'),
      callId: z.string(),
      progress: z.record(z.string(), z.unknown()),
    }),
    z.strictObject({ type: z.literal('outcome'), call: ToolCall(), outcome: Outcome(), text: z.string() }),
    z.strictObject({
      type: z.literal('ended'),
      turn: z.number(),
      end: TurnEnd(),
      message: z.optional(z.string()),
    }),
  ]),
);
export type AgentSignal = z.infer<ReturnType<typeof AgentSignal>>;

const messages = lazily(
  () =>
    [
      z.strictObject({ type: z.literal('event'), event: SessionEvent() }),
      z.strictObject({ type: z.literal('signal'), signal: AgentSignal() }),
      z.strictObject({
        type: z.literal('switched'),
        from: z.string(),
        to: z.string(),
        reason: z.optional(z.string()),
      }),
      /** For a subscriber that joins in the middle of a reply: the reply so far. */
      z.strictObject({ type: z.literal('live'), text: z.string(), reasoning: z.string() }),
      /** Information for a subscriber that changes nothing, such as why a named file was not added to the context. */
      z.strictObject({ type: z.literal('notice'), text: z.string() }),
    ] as const,
);

export const SessionMessage = lazily(() => z.discriminatedUnion('type', messages()));
export type SessionMessage = z.infer<ReturnType<typeof SessionMessage>>;

/** The first message on a neutral socket. */
export const SessionInfo = lazily(() =>
  z.strictObject({
    type: z.literal('session_info'),
    session_id: z.string(),
    role: z.string(),
    agent_type: z.string(),
    status: AgentStatus(),
    last_seq: z.number(),
  }),
);
export type SessionInfo = z.infer<ReturnType<typeof SessionInfo>>;

/** The messages of a socket with `dialect=neutral`. */
export const NeutralMessage = lazily(() => z.discriminatedUnion('type', [...messages(), SessionInfo()]));
export type NeutralMessage = z.infer<ReturnType<typeof NeutralMessage>>;
