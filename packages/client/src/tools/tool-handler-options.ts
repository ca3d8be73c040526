// What a ToolHandler needs: the gateway's API, somebody to ask, something that carries calls out, and its limits.
import type { ToolResult } from '../api/tool-calls.ts';
import type { CodeLabAPI } from '../code-lab-api.ts';
import type { AskUser } from './approval-desk.ts';
import type { ExecutionStore } from './execution-store.ts';
import type { ToolExecutionSignal } from './tool-event.ts';

export type Execution = {
  /** Whether the user of this client said yes to just this, as opposed to somebody at the gateway. */
  wasApprovedHere: boolean;
  signal: AbortSignal;
};

export type ToolHandlerOptions = {
  api: Pick<CodeLabAPI, 'sendToolResult' | 'approveToolExecution' | 'rejectToolExecution'>;
  ask: AskUser;
  /** Carries out one call; what it throws is told as its failure. */
  execute(signal: ToolExecutionSignal, execution: Execution): Promise<ToolResult>;
  /** At once; the others wait (default: 3, and 100 that wait). */
  parallel?: number;
  queued?: number;
  approvalMs?: number;
  historySize?: number;
  /** What must be remembered over a restart; in a page, nothing lasts that long. */
  store?: ExecutionStore;
  /** What a person should know: results that were refused, messages that can't be read. */
  onNotice?(text: string): void;
};
