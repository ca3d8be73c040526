// An event of the plugin's stream on its wire: a server-sent event in seed 002's flat form, or a line of JSON in an envelope.
import { encodeStreamEvent, type Framing, type Json, type StreamEvent } from '@codelab/dialects';
import type { PluginEvent } from './plugin-event.ts';

// One that is longer is fetched by its id: a stream must stay quick for everything else.
const maxChars = 256 * 1024;

export function framingOf(accept = ''): Framing {
  return /\bapplication\/(x-)?ndjson\b/i.test(accept) ? 'ndjson' : 'sse';
}

export const framingTypes: Record<Framing, string> = {
  sse: 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

export function writeFrame(event: PluginEvent, session: string, framing: Framing): string {
  const whole = write(event, session, framing);
  if (whole.length <= maxChars) return whole;
  return write({ ...event, payload: shortened(event.payload) }, session, framing);
}

function write({ type, payload, time, seq }: PluginEvent, session: string, framing: Framing): string {
  const event = { type, timestamp: new Date(time).toISOString(), session_id: session, ...payload };
  return encodeStreamEvent({ ...event, ...(seq !== undefined && { seq }) } as StreamEvent, framing);
}

function shortened(payload: Json): Json {
  const short = Object.entries(payload).filter(([, value]) => JSON.stringify(value ?? null).length < 2000);
  return {
    ...Object.fromEntries(short),
    truncated: true,
    note: 'Too long for the stream: fetch it with GET …/tools/{tool_id}.',
  };
}
