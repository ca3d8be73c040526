// What Kode answers for a tool that failed.
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

/** Whether the tool was at work when it failed; a call refused before that has no answer of the tool. */
export function hasRun({ code }: Failure): boolean {
  return atWork.includes(code);
}

/** The answer of a tool that failed at its work. */
export function failureText(error: Failure): string | undefined {
  return hasRun(error) ? error.message : undefined;
}
