// The text of a message as an object with a type, in the flat form or out of its envelope.
import { parseAnswer } from '@codelab/api';
import { NeutralMessage, parseBounded } from '@codelab/protocol';
import { ApiError } from '../api-error.ts';
import { maxFrame } from './connection.ts';
import type { StreamFrame } from './frames.ts';

type Json = Record<string, unknown>;

/** `type` is what the framing itself says of it, for messages that do not. */
export function readFrame(text: string, type?: string): StreamFrame {
  const said = parse(text);
  if (typeof said.event_type === 'string' && isObject(said.payload)) {
    const { event_type, payload, ...around } = said;
    return { ...around, ...payload, type: event_type };
  }
  const name = said.type ?? type;
  if (typeof name === 'string') return { ...said, type: name };
  throw unreadable('It has no `type`.');
}

/** Why a message of the neutral wire can't be used. Fields and types that are not known here pass. */
export function neutralProblem(frame: StreamFrame): ApiError | undefined {
  const read = parseAnswer(NeutralMessage(), frame);
  return 'problem' in read ? unreadable(`\`${read.problem.field}\` does not fit.`) : undefined;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): Json {
  try {
    const said = parseBounded(text, maxFrame);
    if (isObject(said)) return said;
  } catch {
    throw unreadable('It is no JSON.');
  }
  throw unreadable('It is no JSON object.');
}

function unreadable(why: string): ApiError {
  const message = `A message of the gateway can’t be read and was left out. ${why}`;
  return new ApiError({ status: 0, code: 'INVALID_FORMAT', message });
}
