// Parses a message into an object with a type, from the flat form or from its envelope.
import { parseAnswer } from '@codelab/api';
import { NeutralMessage, parseBounded } from '@codelab/protocol';
import { ApiError } from '../api-error.ts';
import { maxFrame } from './connection.ts';
import type { StreamFrame } from './frames.ts';

type Json = Record<string, unknown>;

/** `type` is the framing's own, for messages without one. */
export function readFrame(text: string, type?: string): StreamFrame {
  const message = parse(text);
  if (typeof message.event_type === 'string' && isObject(message.payload)) {
    const { event_type, payload, ...envelope } = message;
    return { ...envelope, ...payload, type: event_type };
  }
  const name = message.type ?? type;
  if (typeof name === 'string') return { ...message, type: name };
  throw unreadable('The message has no `type`.');
}

/** Why a message of the neutral wire can't be used. Unknown fields and types are accepted. */
export function neutralProblem(frame: StreamFrame): ApiError | undefined {
  const read = parseAnswer(NeutralMessage(), frame);
  return 'problem' in read ? unreadable(`\`${read.problem.field}\` does not fit.`) : undefined;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): Json {
  try {
    const value = parseBounded(text, maxFrame);
    if (isObject(value)) return value;
  } catch {
    throw unreadable('The message is not JSON.');
  }
  throw unreadable('The message is not a JSON object.');
}

function unreadable(reason: string): ApiError {
  const message = `A message of the gateway can’t be read and was left out. ${reason}`;
  return new ApiError({ status: 0, code: 'INVALID_FORMAT', message });
}
