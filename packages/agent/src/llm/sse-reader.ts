// Server-sent events from bytes that arrive in pieces of any size, after the algorithm of
// https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
import { StringDecoder } from 'node:string_decoder';
import { lineReader } from './line-reader.ts';
import { ModelTrouble } from './model-trouble.ts';

export type SseEvent = { type: string; data: string };

export type SseReader = {
  push(bytes: Buffer): SseEvent[];
  /** What was complete but for its blank line: some servers leave the last one out. */
  end(): SseEvent[];
};

const maxEventChars = 32 * 1024 * 1024;

export function sseReader(): SseReader {
  const decoder = new StringDecoder('utf8');
  let type = '';
  let data: string[] = [];
  let events: SseEvent[] = [];
  let held = 0;

  const lines = lineReader((line) => {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') type = value;
  });

  function dispatch(): void {
    if (data.length > 0) events.push({ type, data: data.join('\n') });
    type = '';
    data = [];
    held = 0;
  }

  function take(): SseEvent[] {
    const taken = events;
    events = [];
    return taken;
  }

  return {
    push(bytes) {
      const text = decoder.write(bytes);
      held += text.length;
      lines.push(text);
      if (held > maxEventChars)
        throw new ModelTrouble('One event of the stream does not end.', { mayPass: false });
      return take();
    },
    end() {
      lines.end();
      dispatch();
      return take();
    },
  };
}
