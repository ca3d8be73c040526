// Calls, results and decisions on a socket, for a peer without a table of tools: arguments stay in the wire's spelling.
import { type Decision, type Failure, lazily, ToolError } from '@codelab/protocol';
import { agentWriter } from '../agent/messages.ts';
import { codelabWriter } from '../codelab/messages.ts';
import type { CallInput, DialectMessage, Json, WireCall } from '../dialect.ts';
import {
  flagField,
  jsonField,
  type MessageOf,
  optionalField,
  readWireFields,
  textField,
  type WireFields,
  writeFields,
} from '../shared/fields.ts';
import { readMessage } from '../shared/read-message.ts';
import { checkId, isJson, isText } from '../shared/values.ts';
import type { MessageWriter, WireSuccess } from '../shared/write-message.ts';

/** Seed 004 (`agent`): `arguments`, an error as text and code. Seed 000 (`codelab`): `args`, an error as an object. */
export type Spelling = 'agent' | 'codelab';

const writers: Record<Spelling, MessageWriter> = { agent: agentWriter, codelab: codelabWriter };

// The fields of an approval, or of an order to run a call, besides the call.
const about = lazily(() => ({
  approvalId: optionalField(textField('approval_id')),
  description: optionalField(textField('description')),
  riskLevel: optionalField(textField('risk_level')),
  reason: optionalField(textField('reason')),
  expiresAt: optionalField(textField('expires_at')),
  again: optionalField(textField('again')),
  plan: optionalField(jsonField('plan')),
  state: optionalField(textField('state')),
  redelivered: optionalField(flagField('redelivered')),
}));

/** The form on the wire; the dialect spells arguments and results. */
export type ToolWire = {
  tool_call: {
    type: 'tool_call';
    seq?: number;
    call_id: string;
    tool_name: string;
    requires_approval: boolean;
  } & WireFields<ReturnType<typeof about>> &
    Json;
  tool_result: { type: 'tool_result'; seq?: number; call_id: string } & Json;
};

export type About = Omit<MessageOf<{ about: ReturnType<typeof about> }>, 'type'>;

type ToolCallMessage = {
  type: 'tool_call';
  callId: string;
  tool: string;
  args: Json;
  requiresApproval: boolean;
} & About;

type ToolResultMessage = {
  type: 'tool_result';
  callId: string;
} /** `overTime` is the message of a command that was stopped by its timeout; the result is its output until then. */ & (
  | { result: Json; changedBy?: Json; overTime?: string }
  | { error: Failure }
);

export type ToolMessage =
  | ToolCallMessage
  | ToolResultMessage
  /** The output of a command so far; on the wire a `tool_result` whose `exit_code` is null. */
  | { type: 'tool_progress'; callId: string; result: Json }
  | { type: 'hitl_decision'; callId: string; decision: Decision; approvalId?: string };

/** The fields of an approval or an order besides the call, in the wire's spelling. */
export function writeAbout(fields: About): Json {
  return writeFields(about(), fields);
}

export function isTool(message: { type: string }): message is ToolMessage {
  return ['tool_call', 'tool_result', 'tool_progress', 'hitl_decision'].includes(message.type);
}

export function writeToolMessage(message: ToolMessage, spelling: Spelling): Json {
  const writer = writers[spelling];
  switch (message.type) {
    case 'tool_call': {
      const { callId: id, tool, args, requiresApproval, state } = message;
      const wireMessage = {
        ...writer.call(callAsGiven({ id, tool, args, requiresApproval })),
        ...writeAbout(message),
      };
      // With the state of the call, a peer need not guess whether it still waits for a decision.
      return state === undefined ? wireMessage : { ...wireMessage, requires_approval: requiresApproval };
    }
    case 'tool_result':
      return writeResult(message, writer);
    case 'tool_progress':
      return writer.progress?.(answered(message.callId), message.result) ?? {};
    case 'hitl_decision': {
      const { callId, decision, approvalId } = message;
      return {
        ...writer.decision(callId, decision),
        ...(approvalId !== undefined && { approval_id: approvalId }),
      };
    }
  }
}

export function readToolMessage(wire: Json): ToolMessage {
  const message = readMessage(wire, { ask: callAsGiven, findRow: () => undefined });
  switch (message.type) {
    case 'call': {
      const { id, wire: wireCall, requiresApproval } = message.call;
      return {
        type: 'tool_call',
        callId: id,
        ...wireCall,
        requiresApproval,
        ...readWireFields(about(), wire),
      };
    }
    case 'decision': {
      const { callId, decision } = message;
      const { approvalId } = readWireFields(about(), wire) as About;
      return { type: 'hitl_decision', callId, decision, ...(approvalId !== undefined && { approvalId }) };
    }
    case 'result':
      return readResult(message, wire);
    case 'progress':
      return { type: 'tool_progress', callId: message.asked.id, result: message.data };
    case 'approval':
      throw new ToolError('INVALID_FORMAT', 'A question is a `tool_call` that requires approval.');
  }
}

function writeResult(message: ToolResultMessage, { completed, endedBadly }: MessageWriter): Json {
  const call = answered(message.callId);
  const ended = { callId: message.callId, tool: '', startedAt: 0, durationMs: 0, effects: [] };
  if ('error' in message)
    return endedBadly(call, { ...ended, status: 'failed', error: message.error }, undefined);
  const { result, changedBy, overTime } = message;
  const ending = overTime === undefined ? undefined : { error: overTime, error_code: 'TIMEOUT' };
  const outcome: WireSuccess['outcome'] = { ...ended, status: 'completed', data: result };
  return completed(call, { result, changedBy, metadata: undefined, ending, outcome });
}

function readResult(
  { asked, outcome }: Extract<DialectMessage, { type: 'result' }>,
  wire: Json,
): ToolMessage {
  const result = { type: 'tool_result', callId: asked.id } as const;
  if (outcome.status !== 'completed') return { ...result, error: outcome.error };
  const { changed_by: changedBy, error: overTime } = wire;
  return {
    ...result,
    result: outcome.data,
    ...(isJson(changedBy) && { changedBy }),
    ...(isText(overTime) && { overTime }),
  };
}

function callAsGiven({ id, tool, args, requiresApproval = false }: CallInput): WireCall {
  return { id: checkId(id), wire: { tool, args }, tool, args, requiresApproval };
}

function answered(id: string): Pick<WireCall, 'id' | 'wire'> {
  return { id: checkId(id), wire: { tool: '', args: {} } };
}
