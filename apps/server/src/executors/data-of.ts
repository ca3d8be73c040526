// What a client made of a job. What it says went wrong is thrown, in the codes that are a client's to give.
import { type ErrorCode, ToolError } from '@codelab/protocol';
import type { JobEnd } from './job.ts';

const maxMessage = 10_000;
const maxDetails = 16 * 1024;

const ours: readonly ErrorCode[] = [
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

export function dataOf(end: JobEnd): Record<string, unknown> {
  if (end instanceof ToolError) throw plainFailure(end);
  return end;
}

function plainFailure({ code, message, details }: ToolError): ToolError {
  const said = ours.includes(code) ? 'EXECUTION_FAILED' : code;
  const isShort = details !== undefined && JSON.stringify(details).length <= maxDetails;
  return new ToolError(said, message.slice(0, maxMessage), isShort ? details : undefined);
}
