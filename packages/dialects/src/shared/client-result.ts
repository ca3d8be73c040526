// The result of a client that ran a call, as the core tool's own data, so that models and other wires read it like any other. The client
// is not trusted: its result is bounded, reduced to the fields of the tool, refused when they are invalid, and failures have only a
// client's codes.
import { describeIssue, type ErrorCode, type Failure, ToolError } from '@codelab/protocol';
import type * as z from 'zod/mini';
import type { Dialect, Json } from '../dialect.ts';
import { corePath } from './spelling.ts';

const maxChars = 4 * 1024 * 1024;
const maxMessage = 10_000;
const maxDetails = 16 * 1024;

/** The call as the core knows it, and the schema of its tool's result. */
type CarriedCall = { tool: string; args: Json; output: z.ZodMiniType };

export function readClientResult(
  dialect: Dialect,
  { tool, args, output }: CarriedCall,
  wireResult: Json,
): Json | ToolError {
  const chars = JSON.stringify(wireResult).length;
  if (chars > maxChars)
    return new ToolError(
      'OUTPUT_SIZE_EXCEEDED',
      `The client ran the call, but its answer has ${chars} characters; the limit is ${maxChars}.`,
      { size: chars, max_size: maxChars },
    );
  const fieldNames = Object.keys((output as z.ZodMiniObject).shape ?? {});
  // Fields that the tool does not have are removed; a tool with several forms checks itself what is valid.
  const cut =
    fieldNames.length === 0 ? wireResult : pick(fieldNames, fill(dialect, { tool, args }, wireResult));
  const parsed = output.safeParse(cut);
  if (parsed.success) return parsed.data as Json;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  const fault = issue === undefined ? 'does not fit' : describeIssue(issue, cut);
  return new ToolError(
    'EXECUTION_FAILED',
    `The client reported success, but its answer is not valid for ${tool}: \`result.${field}\` ${fault}. Check the files before you repeat it.`,
    { field: `result.${field}` },
  );
}

function fill(dialect: Dialect, { tool, args }: Omit<CarriedCall, 'output'>, wireResult: Json): Json {
  const row = dialect.tools.find((candidate) => candidate.tool === tool);
  const { path, from, to, query, process_id } = args;
  // The caller's spelling of a path is not the core's.
  const places = {
    ...(path !== undefined && { path: corePath(path) }),
    ...(from !== undefined && { from: corePath(from), to: corePath(to) }),
  };
  return {
    path,
    from,
    to,
    query,
    process_id,
    ...wireResult,
    ...row?.fromWire?.(wireResult, args),
    ...places,
  };
}

function pick(names: readonly string[], data: Json): Json {
  return Object.fromEntries(names.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
}

/** Codes that only the gateway can know to be true. */
const gatewayCodes: readonly ErrorCode[] = [
  'DUPLICATE_CALL',
  'APPROVAL_EXPIRED',
  'APPROVAL_PENDING',
  'APPROVAL_NOT_FOUND',
  'ALREADY_DECIDED',
  'SESSION_NOT_FOUND',
  'LOG_CONFLICT',
  'LOG_DAMAGED',
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'AGENT_ERROR',
  'LLM_ERROR',
  'INTERNAL',
];

export function readClientFailure({ code, message, details }: Failure): ToolError {
  const allowed = gatewayCodes.includes(code) ? 'EXECUTION_FAILED' : code;
  const isShort = details !== undefined && JSON.stringify(details).length <= maxDetails;
  return new ToolError(allowed, message.slice(0, maxMessage), isShort ? details : undefined);
}
