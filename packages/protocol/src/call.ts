// A tool call in the neutral model: the call itself, the kinds of tools, and the risk of a mistake.
import * as z from 'zod/mini';
import { lazily } from './input.ts';
import { DialectName } from './limits.ts';

/** A tool's effect on the world, and how much a mistake would hurt. Screens and policy switch on these, never on a tool's name. */
export const Kind = lazily(() =>
  z.enum(['read', 'edit', 'delete', 'move', 'search', 'execute', 'ask', 'think']),
);
export type Kind = z.infer<ReturnType<typeof Kind>>;

export const Risk = lazily(() => z.enum(['low', 'medium', 'high', 'critical']));
export type Risk = z.infer<ReturnType<typeof Risk>>;

const order: readonly Risk[] = ['low', 'medium', 'high', 'critical'];

export function highestRisk(risks: Iterable<Risk>): Risk {
  let highest: Risk = 'low';
  for (const risk of risks) if (order.indexOf(risk) > order.indexOf(highest)) highest = risk;
  return highest;
}

/** One tool call as a peer sends it, unvalidated. */
const callIdShape = /^[^\p{Cc}]{1,200}$/u;

/** The same question as the schema's, for where only this one is asked. */
export function isCallId(text: string): boolean {
  return callIdShape.test(text);
}

export const CallId = lazily(() => z.string().check(z.regex(callIdShape)));
export const SessionId = lazily(() => z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)));

/** The author of an action, as the audit names them: a person, or the flag a person set; `via` is the transport. */
export const Actor = lazily(() => z.strictObject({ who: z.string(), via: z.string() }));
export type Actor = z.infer<ReturnType<typeof Actor>>;

/** Calls of one reply that are asked about at the same time; `index` counts from 1. They run in this order. */
export const CallGroup = lazily(() =>
  z.strictObject({
    id: z.string(),
    index: z.int().check(z.positive()),
    size: z.int().check(z.positive()),
  }),
);
export type CallGroup = z.infer<ReturnType<typeof CallGroup>>;

export const ToolCall = lazily(() =>
  z.strictObject({
    id: CallId(),
    session: SessionId(),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
    dialect: DialectName(),
    profile: z.optional(z.string()),
    /** The peer's own wish to have a human asked: a floor, never a ceiling. */
    requiresApproval: z.optional(z.boolean()),
    /** The turn of the conversation that the call belongs to; a turn can be undone whole. */
    turn: z.optional(z.int().check(z.positive())),
    /** The call that started the sub-agent this one comes from. */
    agent: z.optional(CallId()),
    /** A person is at the session: the approval waits until it is decided, unless the configuration limits the time. */
    attended: z.optional(z.literal(true)),
    group: z.optional(CallGroup()),
    /** The author of the call. Calls of a turn have none: the author of the turn requested them. */
    by: z.optional(Actor()),
    timeoutMs: z.optional(z.int().check(z.positive())),
  }),
);
export type ToolCall = z.infer<ReturnType<typeof ToolCall>>;

// The effects of a rule on a call, and the modes that decide where no rule matches.
export const RuleEffect = lazily(() => z.enum(['allow', 'ask', 'deny']));
export type RuleEffect = z.infer<ReturnType<typeof RuleEffect>>;

/** How much runs unasked where no rule matches, strictest first. */
export const policyModes = ['strict', 'balanced', 'review', 'trusted'] as const;
export type PolicyMode = (typeof policyModes)[number];
