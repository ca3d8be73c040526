// The call that was typed: a tool's name with its bare arguments, or with the dialect's whole call message.
import type { AskedCall, Dialect, Json } from '@codelab/dialects';
import { limitProfiles, parseJson, ToolError } from '@codelab/protocol';

// A message wraps its arguments in a few levels of its own.
const envelopeDepth = 4;

/** `isLasting`: the call belongs to a session that goes on, so that what it has read before counts. */
type Typed = { id: string | undefined; tool: string; text: string; fallbackId: string; isLasting: boolean };

export function readToolCall(dialect: Dialect, typed: Typed): AskedCall {
  const { argsBytes, argsDepth } = limitProfiles[dialect.name];
  const value = parseJson(typed.text, { bytes: argsBytes, depth: argsDepth + envelopeDepth });
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

/** Undefined when the object is not a call message, hence bare arguments. */
function readMessage(dialect: Dialect, value: Json, isLasting: boolean): AskedCall | undefined {
  if (!['type', 'event_type', 'tool_name'].some((key) => typeof value[key] === 'string')) return undefined;
  try {
    const message = dialect.decode(value, { isLasting });
    return message.type === 'call' ? message.call : undefined;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'INVALID_FORMAT') return undefined;
    throw error;
  }
}
