// The events of seed 002 about tools, as a client reads them from the stream.
import * as z from 'zod/mini';
import type { Json } from '../dialect.ts';

const id = () => z.string().check(z.minLength(1), z.maxLength(200));
const args = () => z.record(z.string(), z.unknown());

export const ToolApprovalRequest = () =>
  z.looseObject({
    tool_id: id(),
    tool_name: z.string(),
    args: z._default(args(), {}),
    risk_level: z._default(z.string(), 'high'),
    estimated_duration_ms: z.optional(z.number()),
    timeout_seconds: z.optional(z.number()),
    description: z.optional(z.string()),
    approval_id: z.optional(z.string()),
    session_id: z.optional(z.string()),
  });
export type ToolApprovalRequest = z.infer<ReturnType<typeof ToolApprovalRequest>>;

export const ToolExecutionSignal = () =>
  z.looseObject({
    tool_id: id(),
    tool_type: z.string(),
    args: z._default(args(), {}),
    execution_context: z.optional(z.looseObject({ user_approved: z.optional(z.boolean()) })),
    session_id: z.optional(z.string()),
  });
export type ToolExecutionSignal = z.infer<ReturnType<typeof ToolExecutionSignal>>;

export const ToolResultAck = () =>
  z.looseObject({
    tool_id: id(),
    receipt_status: z.optional(z.string()),
    status: z.optional(z.string()),
    message: z.optional(z.string()),
    session_id: z.optional(z.string()),
  });

/** An approval was decided, here or elsewhere, or has expired. */
export const ApprovalResolved = () =>
  z.looseObject({ tool_id: id(), decision: z.optional(z.string()), session_id: z.optional(z.string()) });

/** The result of a call that a client ran, in the form of seed 002. */
export type ToolResult = {
  tool_id: string;
  tool_type: string;
  status: 'success' | 'error' | 'timeout' | 'cancelled';
  output?: unknown;
  metadata?: Json;
  exitCode?: number | null;
  error?: { message: string; code: string; details?: Json };
  duration_ms: number;
  timestamp: string;
  /** Models number their calls, so two chats may have the same id. */
  session_id?: string;
};
