// Server-sent events from bytes that arrive in pieces of any size.
import { createParser } from 'eventsource-parser';
import { ModelFailure } from '../model-failure.ts';

export type SseEvent = { type: string; data: string };

export type SseReader = {
  push(bytes: Buffer): SseEvent[];
  /** The last event when its blank line is missing: some servers leave it out. */
  end(): SseEvent[];
};

const maxEventChars = 32 * 1024 * 1024;

export function sseReader(): SseReader {
  const decoder = new TextDecoder();
  let events: SseEvent[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxEventChars,
    onEvent: ({ event = '', data }) => void events.push({ type: event, data }),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') isTooLong = true;
    },
  });

  function feed(text: string): SseEvent[] {
    parser.feed(text);
    if (isTooLong) throw new ModelFailure('One event of the stream does not end.', { mayPass: false });
    const complete = events;
    events = [];
    return complete;
  }

  return {
    push: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end: () => feed(`${decoder.decode()}\n\n`),
  };
}

/** One event of a stream as an object. Data that is not JSON means a broken connection or proxy, so the request is made again. */
export function parseEvent<Event extends object>(data: string): Event {
  try {
    const event: unknown = JSON.parse(data);
    if (typeof event === 'object' && event !== null) return event as Event;
  } catch {
    // The failure is thrown below.
  }
  throw new ModelFailure('The stream holds something that is not JSON.', { mayPass: true, reason: 'cut' });
}
