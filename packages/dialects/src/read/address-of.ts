// Whom to answer when a message could not be read: the call's id and tool, as far as they can be made out. Never throws.
import type { AskedCall, Json } from '../dialect.ts';

const idKeys = ['call_id', 'tool_id', 'tool_use_id', 'id'];
const toolKeys = ['tool_name', 'tool_type', 'tool', 'name'];

export function addressOf(wire: unknown): Pick<AskedCall, 'id' | 'wire'> {
  const outer = objectOr(wire, {});
  const message = objectOr(outer.payload, outer);
  return { id: firstText(message, idKeys), wire: { tool: firstText(message, toolKeys), args: {} } };
}

function objectOr(value: unknown, otherwise: Json): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : otherwise;
}

function firstText(message: Json, keys: readonly string[]): string {
  return String(keys.map((key) => message[key]).find((value) => typeof value === 'string') ?? '');
}
