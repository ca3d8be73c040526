// A call that a client is to carry out, what it is told of it, and what it says.
import { type Executor, ToolError } from '@codelab/protocol';

export type Job = {
  session: string;
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  /** It changes nothing, so doing it twice does no harm. */
  isRepeatable: boolean;
  report(progress: Record<string, unknown>): void;
};

/** What an executor made of a job; the tool's own data. */
export type JobEnd = Record<string, unknown> | ToolError;

/** The data of a job that was carried out; a failure is thrown. */
export function dataOf(end: JobEnd): Record<string, unknown> {
  if (end instanceof ToolError) throw end;
  return end;
}

export type Order =
  /** `isAgain`: it was handed to the same executor before. */
  | { type: 'execute'; job: Job; isAgain: boolean; approvalId: string | undefined }
  | { type: 'cancel'; job: Job };

/** Who says how a job ended; `executor` is missing where only the person is known. */
export type Teller = { who: string; executor?: Executor };
