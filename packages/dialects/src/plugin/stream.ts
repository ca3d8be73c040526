// The events of the plugin's stream in both forms: flat as a server-sent event, in an envelope as a line of JSON.
import { ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { rowOf } from '../shared/fields.ts';
import { isJson, isNumber, isText } from '../shared/values.ts';

export type Framing = 'sse' | 'ndjson';

export function framingOf(accept = ''): Framing {
  return /\bapplication\/(x-)?ndjson\b/i.test(accept) ? 'ndjson' : 'sse';
}

export const framingTypes: Record<Framing, string> = {
  sse: 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

type Guard<T = unknown> = (value: unknown) => value is T;
type Fields = Readonly<Record<string, Guard>>;

/** The required fields of each event, unless it was shortened (`truncated`); all other fields are kept. */
const table = {
  'tool.approval_request': { tool_id: isText, tool_name: isText, args: isJson, risk_level: isText },
  'tool.execution_signal': { tool_id: isText, tool_type: isText, args: isJson },
  'tool.result_ack': { tool_id: isText, receipt_status: isText },
  tool_result: { tool_id: isText, status: isText },
  tool_error: { tool_id: isText, status: isText, error: isJson },
  tool_request: { tool_name: isText },
  tool_execution_request: { tool_id: isText, tool_name: isText },
  approval_required: { approval_id: isText },
  approval_resolved: { approval_id: isText, tool_id: isText, decision: isText },
  approval_timeout: { approval_id: isText, tool_id: isText },
  approval_timeout_warning: { approval_id: isText, tool_id: isText, seconds_left: isNumber },
  message_created: { role: isText, content: isText },
  message_chunk: { role: isText, content: isText },
  agent_switched: { to: isText },
  agent_status_changed: { status: isText },
  direct_agent_call: {},
  task_plan_created: {},
  task_started: {},
  task_progress: {},
  task_completed: {},
  plan_request: {},
  context_retrieved: {},
  notice: { message: isText },
  heartbeat: {},
  error: { message: isText },
} satisfies Record<string, Fields>;

// The older server's names of the same fields.
const otherNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'tool.approval_request': { args: 'tool_params' },
  'tool.execution_signal': { tool_type: 'tool_name', args: 'tool_params' },
  'tool.result_ack': { receipt_status: 'status' },
};

type Rows = typeof table;
export type PluginEventType = keyof Rows;

type Values<F> = { [K in keyof F]: F[K] extends Guard<infer T> ? T : never };

/** `seq` is set for entries of the log: a stream is resumed after it. */
export type PluginEvent = {
  [K in PluginEventType]: { type: K; timestamp: string; session_id: string; seq?: number } & Values<Rows[K]> &
    Json;
}[PluginEventType];

export const pluginEventTypes = Object.keys(table) as PluginEventType[];

export function encodePluginEvent({ type, seq, ...fields }: PluginEvent, framing: Framing): string {
  if (framing === 'ndjson') {
    const { timestamp, session_id, ...payload } = fields;
    return `${JSON.stringify({ event_type: type, payload, timestamp, session_id, seq })}\n`;
  }
  // JSON has no raw line feeds, so nothing in the data can begin a field.
  const id = seq === undefined ? '' : `id: ${seq}\n`;
  return `${id}event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

// A longer event is fetched by its id: the stream must stay fast for everything else.
const maxChars = 256 * 1024;

/** An event for a shared stream: without its long fields when it is too long. */
export function encodeBoundedEvent(event: PluginEvent, framing: Framing): string {
  const text = encodePluginEvent(event, framing);
  if (text.length <= maxChars) return text;
  const short = Object.entries(event).filter(([, value]) => JSON.stringify(value ?? null).length < 2000);
  const note = 'Too long for the stream: fetch it with GET …/tools/{tool_id}.';
  const cut = { ...Object.fromEntries(short), truncated: true, note };
  return encodePluginEvent(cut as unknown as PluginEvent, framing);
}

/** Reads either form, parsed; `id` is that of the server-sent event. Throws INVALID_FORMAT or INVALID_ARGUMENTS. */
export function decodePluginEvent(wire: unknown, id?: string): PluginEvent {
  if (!isJson(wire)) throw new ToolError('INVALID_FORMAT', 'An event is one JSON object.');
  const event = 'event_type' in wire ? outOfEnvelope(wire) : { ...wire };
  const fields: Fields = rowOf<Fields>(table, event.type);
  for (const [name, other] of Object.entries(otherNames[String(event.type)] ?? {}))
    event[name] ??= event[other];
  const seq = id === undefined || id === '' ? event.seq : Number(id);
  if (seq === undefined || seq === null) delete event.seq;
  else event.seq = seq;
  const common: Fields = {
    timestamp: isText,
    session_id: isText,
    ...(event.seq !== undefined && { seq: isNumber }),
  };
  for (const [name, isValid] of Object.entries({ ...common, ...fields })) {
    // An event that is too long for the stream lacks its long fields: they are fetched separately.
    const isLeftOut = event.truncated === true && event[name] === undefined;
    if (isLeftOut || isValid(event[name])) continue;
    throw new ToolError('INVALID_ARGUMENTS', `\`${name}\` does not fit the event ${String(event.type)}.`, {
      field: name,
    });
  }
  return event as PluginEvent;
}

function outOfEnvelope({ event_type, payload, timestamp, session_id, seq }: Json): Json {
  if (!isJson(payload))
    throw new ToolError('INVALID_ARGUMENTS', '`payload` is missing.', { field: 'payload' });
  return { timestamp, session_id, seq, ...payload, type: event_type };
}
