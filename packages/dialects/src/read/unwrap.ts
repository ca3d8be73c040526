// Takes a message out of the envelope that the plugin's server may put around it.
import type { Json } from '../dialect.ts';
import { readObject } from './read-object.ts';

export function unwrap(message: Json): Json {
  if (typeof message.event_type !== 'string' || message.payload == null) return message;
  return { ...readObject(message.payload, 'payload'), type: message.event_type };
}
