// Whether a tool was at work when it failed; a call refused before that has no answer of the tool.
import type { ErrorCode, Failure } from '@codelab/protocol';

const atWork: readonly ErrorCode[] = [
  'EXECUTION_FAILED',
  'NO_SPACE',
  'IO_ERROR',
  'RESOURCE_LIMIT',
  'TIMEOUT',
  'OUTCOME_UNKNOWN',
  'INTERNAL',
];

export function hasRun({ code }: Failure): boolean {
  return atWork.includes(code);
}
