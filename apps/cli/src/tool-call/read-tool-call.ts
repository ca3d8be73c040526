// The typed call: a tool's name with its arguments, or with the dialect's whole call message.
import { addressOf, type Dialect, type Json, type WireCall } from '@codelab/dialects';
import {
  CallId,
  isCallId,
  limitProfiles,
  parseBounded,
  parseJson,
  SessionId,
  ToolError,
} from '@codelab/protocol';
import { UsageError } from '../command-line/define-command.ts';

// A message nests its arguments a few levels deep.
const envelopeDepth = 4;

/** `isLasting`: the call belongs to a session that continues, so its earlier reads count. */
type Typed = { id: string | undefined; tool: string; text: string; fallbackId: string; isLasting: boolean };

export function readToolCall(dialect: Dialect, typed: Typed): WireCall {
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
      // The wires of the seeds (docs/origins.md) have strict forms of their own.
      isLenient: dialect.name === 'codelab',
    });
  if (message.wire.tool !== typed.tool)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `The message calls ${JSON.stringify(message.wire.tool)}, the command line ${JSON.stringify(typed.tool)}.`,
    );
  return typed.id === undefined ? message : { ...message, id: typed.id };
}

/** The id in a refused call message, however little of the message is readable. Undefined for bare arguments. */
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
function readMessage(dialect: Dialect, value: Json, isLasting: boolean): WireCall | undefined {
  if (!looksLikeMessage(value)) return undefined;
  try {
    const message = dialect.decode(value, { isLasting });
    return message.type === 'call' ? message.call : undefined;
  } catch (error) {
    if (error instanceof ToolError && error.code === 'INVALID_FORMAT') return undefined;
    throw error;
  }
}

/** The options of a call, checked before anything is opened. */
type Given = { 'call-id'?: string; session?: string; profile?: string; timeout?: string };
type Settings = {
  callId: string | undefined;
  session: string | undefined;
  profile: string | undefined;
  timeoutMs: number | undefined;
};

// The longest time that timers can count.
const maxSeconds = 2_147_483;

export function readCallOptions({ 'call-id': callId, session, profile, timeout }: Given): Settings {
  if (callId !== undefined && !CallId().safeParse(callId).success)
    throw new UsageError('--call-id must have 1 to 200 characters, none of them a control character.');
  if (session !== undefined && !SessionId().safeParse(session).success)
    throw new UsageError(
      '--session must be 1 to 128 letters, digits, `.`, `_` or `-`, beginning with a letter or digit.',
    );
  return { callId, session, profile, timeoutMs: toMs(timeout) };
}

function toMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds > 0 && seconds <= maxSeconds))
    throw new UsageError(`--timeout must be a number of seconds, more than 0 and at most ${maxSeconds}.`);
  return Math.ceil(seconds * 1000);
}

/** The JSON of a call: the argument itself, or with `-` standard input, bounded and strictly UTF-8. */
export async function readJsonText(
  id: string | undefined,
  maxBytes: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  if (id === undefined) return '{}';
  return id === '-' ? await readStandardInput(maxBytes, signal) : id;
}

async function readStandardInput(maxBytes: number, signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  const stop = (): void => void stdin.destroy(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    return decode(await readAll(stdin, maxBytes));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function readAll(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBytes)
      throw new ToolError('FILE_TOO_LARGE', `Standard input holds more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ToolError('INVALID_FORMAT', 'Standard input is not UTF-8 text.');
  }
}
