// How a ToolHandler is set up: what it may do at most, and what it needs from its program.
import { limitProfiles, listedPrograms } from '@codelab/protocol';
import type { ToolResult } from '../api/tool-calls.ts';
import type { CodeLabAPI } from '../code-lab-api.ts';
import type { AskUser } from './approval-dialogs.ts';
import type { ExecutionStore } from './execution-store.ts';
import type { ToolExecutionSignal } from './tool-events.ts';

export type ToolConfig = {
  /** Calls carried out at once; the others wait, up to `queued`. */
  parallel: number;
  queued: number;
  /** How long a question is shown. */
  approvalMs: number;
  historySize: number;
  /** The longest content that a request may want to write. */
  maxFileBytes: number;
  /** Programs that a request may name. The machine that runs them has the same list and checks again. */
  commands: readonly string[];
  /** Tools of the gateway, besides those of seed 002, that the user of this client is asked about. */
  gatewayTools: readonly string[];
};

const { parallel, queued, approvalMs, writeBytes } = limitProfiles.plugin;

export const defaultToolConfig: ToolConfig = {
  parallel,
  queued,
  approvalMs,
  historySize: 1000,
  maxFileBytes: writeBytes,
  commands: listedPrograms,
  gatewayTools: [],
};

export type ToolExecution = {
  /** Whether the user of this client said yes to just this, as opposed to somebody at the gateway. */
  wasApprovedHere: boolean;
  signal: AbortSignal;
};

/** That a call was taken is enough, so their answers are not looked at. */
type HandlerApi = {
  [Name in 'sendToolResult' | 'approveToolExecution' | 'rejectToolExecution']: (
    ...given: Parameters<CodeLabAPI[Name]>
  ) => Promise<unknown>;
};

export type ToolHandlerOptions = Partial<ToolConfig> & {
  api: HandlerApi;
  ask: AskUser;
  /** Carries out one call; what it throws is told as its failure. */
  execute(signal: ToolExecutionSignal, execution: ToolExecution): Promise<ToolResult>;
  /** Throws a ToolError for a request that this machine would refuse, so that no dialog is shown for it. */
  validate?(tool: string, args: Record<string, unknown>): Promise<void>;
  /** What must be remembered over a restart; in a page, nothing lasts that long. */
  store?: ExecutionStore;
  /** What a person should know: results that were refused, messages that can't be read. */
  onNotice?(text: string): void;
};
