// One tool call in the neutral model: what a peer asks for, before anything was checked.
import * as z from 'zod/mini';
import { DialectName } from './limits.ts';

export const CallId = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^[^\p{Cc}]*$/u));
export const SessionId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/));

export const ToolCall = z.strictObject({
  id: CallId,
  session: SessionId,
  tool: z.string(),
  args: z.record(z.string(), z.unknown()),
  dialect: DialectName,
  profile: z.optional(z.string()),
  /** The peer's own wish to have a human asked: a floor, never a ceiling. */
  requiresApproval: z.optional(z.boolean()),
  timeoutMs: z.optional(z.int().check(z.positive())),
});
export type ToolCall = z.infer<typeof ToolCall>;
