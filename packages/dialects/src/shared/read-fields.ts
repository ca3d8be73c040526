// Reads single fields of a message under every name a peer may use for them.
import { isCallId, ToolError } from '@codelab/protocol';
import type { AskedCall, Json } from '../dialect.ts';
import { isJson, isSame, objectOf } from './values.ts';

/** One field under any of the names peers use for it. `null` counts as absent; two names that disagree are refused. */
export function readField(message: Json, names: readonly string[]): unknown {
  const present = names.filter((name) => Object.hasOwn(message, name) && message[name] != null);
  const [first, ...others] = present;
  if (first === undefined) return undefined;
  const rival = others.find((name) => !isSame(message[name], message[first]));
  if (rival !== undefined) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `\`${first}\` and \`${rival}\` say different things. Send one of them.`,
      {
        field: rival,
      },
    );
  }
  return message[first];
}

/** A field that must be text when it is there. */
export function readText(message: Json, names: readonly string[]): string | undefined {
  const value = readField(message, names);
  if (value === undefined || typeof value === 'string') return value;
  throw new ToolError('INVALID_ARGUMENTS', `\`${names[0]}\` must be a string.`, { field: names[0] });
}

/** A value that must be a JSON object. */
export function readObject(value: unknown, field: string): Json {
  if (isJson(value)) return value;
  throw new ToolError('INVALID_ARGUMENTS', `\`${field}\` must be an object.`, { field });
}

/** An id as every log and screen can hold it. */
export function checkId(id: string): string {
  if (isCallId(id)) return id;
  const fault =
    id === '' ? 'is missing' : 'must have at most 200 characters, none of them a control character';
  throw new ToolError('INVALID_ARGUMENTS', `\`call_id\` ${fault}.`, { field: 'call_id' });
}

/** The id of a call, under the name each dialect has for it. */
export function readId(message: Json): string {
  return checkId(readText(message, ['call_id', 'tool_id', 'tool_use_id']) ?? readText(message, ['id']) ?? '');
}

const idKeys = ['call_id', 'tool_id', 'tool_use_id', 'id'];
const toolKeys = ['tool_name', 'tool_type', 'tool', 'name'];

/** Whom to answer when a message could not be read: the call's id and tool, as far as they can be made out. Never throws. */
export function addressOf(wire: unknown): Pick<AskedCall, 'id' | 'wire'> {
  const outer = objectOf(wire);
  const message = isJson(outer.payload) ? outer.payload : outer;
  return { id: firstText(message, idKeys), wire: { tool: firstText(message, toolKeys), args: {} } };
}

function firstText(message: Json, keys: readonly string[]): string {
  return String(keys.map((key) => message[key]).find((value) => typeof value === 'string') ?? '');
}
