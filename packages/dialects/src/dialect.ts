// What a dialect is: a table with a row per tool, and two pure functions between wire messages and the neutral model.
import type { ApprovalRequest, Decision, DialectName, Outcome } from '@codelab/protocol';
import type * as z from 'zod/mini';

export type Json = Record<string, unknown>;

/** A call as a peer spelled it, and what it means in the core. Answers repeat the peer's spelling. */
export type AskedCall = {
  id: string;
  wire: { tool: string; args: Json };
  tool: string;
  args: Json;
  requiresApproval: boolean;
};

/** One row of a dialect's table. */
export type WireTool = {
  /** The name on the wire, and the core tool it stands for. */
  name: string;
  tool: string;
  input: z.ZodMiniType;
  /** Wire arguments, already checked against `input`, to core arguments. */
  toCore(args: Json): Json;
  /** The core tool's data to the wire's result; `asked` are the wire arguments, for answering in the caller's spelling. */
  toWire(data: Json, asked: Json): Json | string;
};

export type Message =
  | { type: 'call'; call: AskedCall }
  | { type: 'approval'; asked: AskedCall; approval: ApprovalRequest }
  | { type: 'decision'; callId: string; decision: Decision }
  | { type: 'result'; asked: Pick<AskedCall, 'id' | 'wire'>; outcome: Outcome };

export type Dialect = {
  name: DialectName;
  tools: readonly WireTool[];
  /** Reads a call given by name and arguments; throws TOOL_NOT_FOUND or INVALID_ARGUMENTS. */
  ask(given: { id: string; tool: string; args: Json; requiresApproval?: boolean }): AskedCall;
  /** Reads any message a peer may send; lenient about spelling. */
  decode(wire: unknown): Message;
  /** Writes a message strictly in the dialect's own form. */
  encode(message: Message): Json;
};
