// Calls, results and decisions on a socket as a peer that keeps no table of tools reads and writes them: arguments stay in the wire's words.
import { type Decision, type Failure, ToolError } from '@codelab/protocol';
import { agentWriter } from '../agent/messages.ts';
import { codelabWriter } from '../codelab/messages.ts';
import type { CallInput, DialectMessage, Json, WireCall } from '../dialect.ts';
import {
  checkId,
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
import { isJson, isText } from '../shared/values.ts';
import type { MessageWriter, WireSuccess } from '../shared/write-message.ts';

/** Seed 004 (`agent`): `arguments`, an error as text and code. Seed 000 (`codelab`): `args`, an error as an object. */
export type Spelling = 'agent' | 'codelab';

const writers: Record<Spelling, MessageWriter> = { agent: agentWriter, codelab: codelabWriter };

// What a question, or the order to carry a call out, says besides the call.
const about = {
  approvalId: optionalField(textField('approval_id')),
  description: optionalField(textField('description')),
  riskLevel: optionalField(textField('risk_level')),
  reason: optionalField(textField('reason')),
  expiresAt: optionalField(textField('expires_at')),
  again: optionalField(textField('again')),
  plan: optionalField(jsonField('plan')),
  state: optionalField(textField('state')),
  redelivered: optionalField(flagField('redelivered')),
};

/** As they stand on the wire; arguments and results are spelled by the dialect. */
export type ToolWire = {
  tool_call: {
    type: 'tool_call';
    seq?: number;
    call_id: string;
    tool_name: string;
    requires_approval: boolean;
  } & WireFields<typeof about> &
    Json;
  tool_result: { type: 'tool_result'; seq?: number; call_id: string } & Json;
};

export type About = Omit<MessageOf<{ about: typeof about }>, 'type'>;

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
} /** `overTime`: the command was stopped, and this is said of it; the result is what it printed until then. */ & (
  | { result: Json; changedBy?: Json; overTime?: string }
  | { error: Failure }
);

export type ToolMessage =
  | ToolCallMessage
  | ToolResultMessage
  /** What a command has printed so far; on the wire a `tool_result` whose `exit_code` is null. */
  | { type: 'tool_progress'; callId: string; result: Json }
  | { type: 'hitl_decision'; callId: string; decision: Decision; approvalId?: string };

/** What a question or an order says besides the call, in the wire's words. */
export function writeAbout(fields: About): Json {
  return writeFields(about, fields);
}

export function isTool(message: { type: string }): message is ToolMessage {
  return ['tool_call', 'tool_result', 'tool_progress', 'hitl_decision'].includes(message.type);
}

export function writeToolMessage(message: ToolMessage, spelling: Spelling): Json {
  const writer = writers[spelling];
  switch (message.type) {
    case 'tool_call': {
      const { callId: id, tool, args, requiresApproval, state } = message;
      const said = {
        ...writer.call(plainly({ id, tool, args, requiresApproval })),
        ...writeAbout(message),
      };
      // Told how the call stands, nobody has to guess whether it still waits for a decision.
      return state === undefined ? said : { ...said, requires_approval: requiresApproval };
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
  const message = readMessage(wire, { ask: plainly, findRow: () => undefined });
  switch (message.type) {
    case 'call': {
      const { id, wire: said, requiresApproval } = message.call;
      return { type: 'tool_call', callId: id, ...said, requiresApproval, ...readWireFields(about, wire) };
    }
    case 'decision': {
      const { callId, decision } = message;
      const { approvalId } = readWireFields(about, wire) as About;
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
  const asked = answered(message.callId);
  const ended = { callId: message.callId, tool: '', startedAt: 0, durationMs: 0, effects: [] };
  if ('error' in message)
    return endedBadly(asked, { ...ended, status: 'failed', error: message.error }, undefined);
  const { result, changedBy, overTime } = message;
  const ending = overTime === undefined ? undefined : { error: overTime, error_code: 'TIMEOUT' };
  const outcome: WireSuccess['outcome'] = { ...ended, status: 'completed', data: result };
  return completed(asked, { result, changedBy, metadata: undefined, ending, outcome });
}

function readResult(
  { asked, outcome }: Extract<DialectMessage, { type: 'result' }>,
  wire: Json,
): ToolMessage {
  const said = { type: 'tool_result', callId: asked.id } as const;
  if (outcome.status !== 'completed') return { ...said, error: outcome.error };
  const { changed_by: changedBy, error: overTime } = wire;
  return {
    ...said,
    result: outcome.data,
    ...(isJson(changedBy) && { changedBy }),
    ...(isText(overTime) && { overTime }),
  };
}

function plainly({ id, tool, args, requiresApproval = false }: CallInput): WireCall {
  return { id: checkId(id), wire: { tool, args }, tool, args, requiresApproval };
}

function answered(id: string): Pick<WireCall, 'id' | 'wire'> {
  return { id: checkId(id), wire: { tool: '', args: {} } };
}
