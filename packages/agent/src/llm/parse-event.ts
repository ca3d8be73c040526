// One event of a stream as an object. What is not JSON came from a broken connection or proxy, so the request is made again.
import { ModelTrouble } from './model-trouble.ts';

export function parseEvent<Event extends object>(data: string): Event {
  try {
    const event: unknown = JSON.parse(data);
    if (typeof event === 'object' && event !== null) return event as Event;
  } catch {
    // Said below.
  }
  throw new ModelTrouble('The stream holds something that is not JSON.', { mayPass: true, reason: 'cut' });
}
