// Any message of each type of the sockets, and any event of each type of the plugin's stream, for the laws of the wire.
import {
  type ClientMessage,
  type PluginEvent,
  pluginEventTypes,
  type ServerMessage,
} from '@codelab/dialects';
import { type Decision, errorCodes } from '@codelab/protocol';
import fc from 'fast-check';

type Fields = Record<string, fc.Arbitrary<unknown>>;

const text = fc.string({ unit: 'binary' });
const id = fc.string({ minLength: 1, maxLength: 200 }).filter((text) => !/\p{Cc}/u.test(text));
const flag = fc.boolean();
const number = fc.nat();
// Values that a line can carry: no -0, no key with a meaning in the language.
const anything = fc
  .jsonValue()
  .filter((value) => value !== null && !JSON.stringify(value).includes('__proto__'))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const json = fc.dictionary(
  fc.string().filter((key) => key !== '__proto__'),
  anything,
  { noNullPrototype: true },
);
const moment = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
  .map((date) => date.toISOString());

function recordOf(optional: Fields, needed: Fields = {}): fc.Arbitrary<Record<string, unknown>> {
  return fc.record({ ...needed, ...optional }, { requiredKeys: Object.keys(needed), noNullPrototype: true });
}

function message<T extends { type: string }>(
  type: T['type'],
  needed: Fields,
  optional: Fields = {},
): fc.Arbitrary<T> {
  return recordOf(optional, { type: fc.constant(type), ...needed }) as unknown as fc.Arbitrary<T>;
}

const remember = fc.record(
  { scope: fc.constantFrom('once', 'session', 'workspace', 'user') },
  { noNullPrototype: true },
);
const decided = (kind: Decision['kind'], needed: Fields, optional: Fields = {}): fc.Arbitrary<unknown> =>
  recordOf(optional, { kind: fc.constant(kind), ...needed });
const hunkNumber = fc.integer({ min: 1, max: 1000 });
const hunkEdit = fc.record({ hunk: hunkNumber, text }, { noNullPrototype: true });
const decision = fc.oneof(
  decided('approve', {}, { remember }),
  decided('edit', { args: json }, { feedback: text }),
  decided('hunks', { take: fc.array(hunkNumber) }, { feedback: text, edits: fc.array(hunkEdit) }),
  decided('reject', {}, { feedback: text, remember }),
  decided('answer', { action: text }),
);

const details = json.filter((fields) => Object.keys(fields).length > 0 && !('code' in fields));
const failure = recordOf({ details }, { code: fc.constantFrom(...errorCodes), message: text });
const isUnderWay = (result: Record<string, unknown>): boolean =>
  'stdout' in result && result.exit_code === null;
const progress = recordOf({ truncated: flag }, { stdout: text, stderr: text, exit_code: fc.constant(null) });

const calls = {
  tool_call: message<Extract<ClientMessage, { type: 'tool_call' }>>(
    'tool_call',
    { callId: id, tool: text.filter((name) => name !== ''), args: json, requiresApproval: flag },
    {
      ...Object.fromEntries(
        ['approvalId', 'description', 'riskLevel', 'reason', 'again', 'state'].map((key) => [key, text]),
      ),
      expiresAt: moment,
      plan: json,
      redelivered: flag,
    },
  ),
  tool_result: fc.oneof(
    message<Extract<ClientMessage, { type: 'tool_result' }>>(
      'tool_result',
      { callId: id, result: json.filter((fields) => !isUnderWay(fields)) },
      { changedBy: json },
    ),
    message<Extract<ClientMessage, { type: 'tool_result' }>>('tool_result', { callId: id, error: failure }),
  ),
  tool_progress: message<Extract<ClientMessage, { type: 'tool_progress' }>>('tool_progress', {
    callId: id,
    result: progress,
  }),
};

const plan = {
  planId: text,
  approvalRequestId: text,
  summary: json,
  feedback: text,
  content: text,
  metadata: json,
};
const step = { ...plan, stepId: text, result: anything };

const server: { [K in ServerMessage['type']]: fc.Arbitrary<Extract<ServerMessage, { type: K }>> } = {
  session_info: message(
    'session_info',
    { sessionId: text },
    { role: text, agentType: text, dialect: text, executorId: text },
  ),
  ack: message('ack', { messageId: text }),
  user_message: message('user_message', { content: text }, { role: text }),
  assistant_message: message('assistant_message', {}, { content: text, token: text, isFinal: flag }),
  ...(calls as unknown as Pick<typeof server, keyof typeof calls>),
  agent_status: message('agent_status', { status: text }, { message: text }),
  agent_switched: message(
    'agent_switched',
    { to: text },
    { from: text, reason: text, confidence: text, timestamp: moment, content: text },
  ),
  status: message('status', { content: text }, { metadata: json }),
  context_update: message('context_update', { action: text }, { path: text, sessionId: text }),
  cancel: message('cancel', { callId: text }),
  error: message('error', { message: text }, { code: text, callId: text, details: json, metadata: json }),
  done: message('done', {}, { status: text, turn: number }),
  pong: message('pong', {}, { id: anything }),
  plan_created: message('plan_created', {}, plan),
  plan_approval_required: message('plan_approval_required', {}, plan),
  plan_rejected: message('plan_rejected', {}, plan),
  plan_modification_requested: message('plan_modification_requested', {}, plan),
  plan_update: message('plan_update', { steps: fc.array(anything) }, { ...plan, currentStep: anything }),
  plan_progress: message('plan_progress', {}, { ...step, status: text }),
  subtask_completed: message('subtask_completed', {}, step),
  execution_completed: message('execution_completed', {}, step),
  plan_notification: message('plan_notification', {}, plan),
  plan_approval: message('plan_approval', {}, plan),
  agent_chain_update: message('agent_chain_update', {}, plan),
};

/** By type; each may have a position in the log. */
export const serverMessages = Object.entries(server).map(
  ([type, message]) =>
    [
      type,
      fc
        .tuple(message as fc.Arbitrary<ServerMessage>, fc.option(number))
        .map(([message, seq]) => (seq === null ? message : { ...message, seq })),
    ] as const,
);

const client: { [K in ClientMessage['type']]: fc.Arbitrary<Extract<ClientMessage, { type: K }>> } = {
  ...calls,
  hitl_decision: message('hitl_decision', { callId: id, decision }, { approvalId: text }),
  user_message: message('user_message', { content: text }, { role: text, agentType: text, messageId: text }),
  switch_agent: message('switch_agent', { agentType: text }, { content: text, reason: text }),
  plan_decision: message('plan_decision', { approvalRequestId: text, decision: text }, { feedback: text }),
  context_update: message('context_update', { action: text }, { path: text, content: text, sessionId: text }),
  cancel: message('cancel', {}, { callId: text }),
  ping: message('ping', {}, { id: anything }),
};

export const clientMessages = Object.entries(client) as [string, fc.Arbitrary<ClientMessage>][];

const fields: Fields = {
  ...Object.fromEntries(
    ['tool_id', 'tool_name', 'tool_type', 'risk_level', 'receipt_status', 'status', 'approval_id'].map(
      (key) => [key, text],
    ),
  ),
  ...Object.fromEntries(
    ['decision', 'role', 'content', 'to', 'message', 'description'].map((key) => [key, text]),
  ),
  args: json,
  error: json,
  seconds_left: number,
};
// Each event may have further fields: all of them are kept.
export const streamEvents = pluginEventTypes.map(
  (type) =>
    [
      type,
      fc
        .tuple(recordOf({ seq: number }, { ...fields, timestamp: moment, session_id: text }), anything)
        .map(([event, extra]) => ({ ...event, type, more: extra }) as unknown as PluginEvent),
    ] as const,
);
