// Server-sent events from bytes that arrive in pieces of any size, after the algorithm of
// https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
import { StringDecoder } from 'node:string_decoder';
import { ModelFailure } from '../model-failure.ts';

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
        throw new ModelFailure('One event of the stream does not end.', { mayPass: false });
      return take();
    },
    end() {
      lines.end();
      dispatch();
      return take();
    },
  };
}

/** One event of a stream as an object. What is not JSON came from a broken connection or proxy, so the request is made again. */
export function parseEvent<Event extends object>(data: string): Event {
  try {
    const event: unknown = JSON.parse(data);
    if (typeof event === 'object' && event !== null) return event as Event;
  } catch {
    // Said below.
  }
  throw new ModelFailure('The stream holds something that is not JSON.', { mayPass: true, reason: 'cut' });
}

/** Lines from text that arrives in pieces: ended by LF, CR LF or CR, wherever the pieces are cut. A mark at the very beginning is dropped. */
type LineReader = {
  push(text: string): void;
  /** Gives the last line, if it has no end. */
  end(): void;
};

function lineReader(onLine: (line: string) => void): LineReader {
  let isFirst = true;
  let endedInCr = false;
  /** Pieces of the line that has not ended: joined once, however many there are. */
  let begun: string[] = [];

  function endLine(rest: string): void {
    const line = begun.length === 0 ? rest : begun.join('') + rest;
    begun = [];
    onLine(line);
  }

  return {
    push(text) {
      if (text === '') return;
      const isMarked = isFirst && text.startsWith('\ufeff');
      let from = isMarked || (endedInCr && text.startsWith('\n')) ? 1 : 0;
      isFirst = false;
      endedInCr = false;
      let cr = text.indexOf('\r', from);
      for (;;) {
        if (cr !== -1 && cr < from) cr = text.indexOf('\r', from);
        const lf = text.indexOf('\n', from);
        const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
        if (end === -1) break;
        endLine(text.slice(from, end));
        from = end + 1;
        if (end !== cr) continue;
        endedInCr = from === text.length;
        if (text.charCodeAt(from) === 0x0a) from++;
      }
      if (from < text.length) begun.push(text.slice(from));
    },
    end() {
      if (begun.length > 0) endLine('');
    },
  };
}
