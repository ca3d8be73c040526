// The call that was typed: a tool's name with its bare arguments, or with the dialect's whole call message.
import { type AskedCall, addressOf, type Dialect, type Json } from '@codelab/dialects';
import { isCallId, limitProfiles, parseBounded, parseJson, ToolError } from '@codelab/protocol';

// A message wraps its arguments in a few levels of its own.
const envelopeDepth = 4;

/** `isLasting`: the call belongs to a session that goes on, so that what it has read before counts. */
type Typed = { id: string | undefined; tool: string; text: string; fallbackId: string; isLasting: boolean };

export function readToolCall(dialect: Dialect, typed: Typed): AskedCall {
  const value = parseJson(typed.text, bounds(dialect));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'The arguments must be one JSON object, as in {"path":"README.md"}.',
    );
  const { isLasting } = typed;
  const message = readMessage(dialect, value as Json, isLasting);
  if (message === undefined)
    return dialect.ask({
      id: typed.id ?? typed.fallbackId,
      tool: typed.tool,
      args: value as Json,
      isLasting,
    });
  if (message.wire.tool !== typed.tool)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `The message calls ${JSON.stringify(message.wire.tool)}, the command line ${JSON.stringify(typed.tool)}.`,
    );
  return typed.id === undefined ? message : { ...message, id: typed.id };
}

/** The id in a call message that was refused, however little else of it can be read. Undefined for bare arguments. */
export function callerId(dialect: Dialect, text: string): string | undefined {
  try {
    const value = parseBounded(text, bounds(dialect));
    const { id } = addressOf(value);
    return looksLikeMessage(value) && isCallId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

function bounds(dialect: Dialect): { bytes: number; depth: number } {
  const { argsBytes, argsDepth } = limitProfiles[dialect.name];
  return { bytes: argsBytes, depth: argsDepth + envelopeDepth };
}

function looksLikeMessage(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  return ['type', 'event_type', 'tool_name'].some((key) => typeof fields.get(key) === 'string');
}

/** Undefined when the object is not a call message, hence bare arguments. */
function readMessage(dialect: Dialect, value: Json, isLasting: boolean): AskedCall | undefined {
  if (!looksLikeMessage(value)) return undefined;
  try {
    const message = dialect.decode(value, { isLasting });
    return message.type === 'call' ? message.call : undefined;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'INVALID_FORMAT') return undefined;
    throw error;
  }
}
