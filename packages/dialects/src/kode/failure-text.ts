// The answer of a tool that failed at its work.
import type { Failure } from '@codelab/protocol';
import { hasRun } from './has-run.ts';

export function failureText(error: Failure): string | undefined {
  return hasRun(error) ? error.message : undefined;
}
