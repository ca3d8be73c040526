// The setup of a ToolHandler: its limits, and the functions that its program supplies.
import { limitProfiles, listedPrograms } from '@codelab/protocol';
import type { ToolResult } from '../api/tool-calls.ts';
import type { CodeLabAPI } from '../code-lab-api.ts';
import type { AskUser } from './approval-dialogs.ts';
import type { ExecutionStore } from './execution-store.ts';
import type { ToolExecutionSignal } from './tool-events.ts';

export type ToolConfig = {
  /** Calls that run concurrently; the others wait, up to `queued`. */
  parallel: number;
  queued: number;
  /** How long an approval is shown. */
  approvalMs: number;
  historySize: number;
  /** The longest content that a request may write. */
  maxFileBytes: number;
  /** Programs that a request may name. The machine that runs them has the same list and checks again. */
  commands: readonly string[];
  /** Tools of the gateway, besides those of seed 002, about which this client's user is asked. */
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
  /** Whether this client's user approved exactly this call, rather than a person at the gateway. */
  wasApprovedHere: boolean;
  signal: AbortSignal;
};

/** The answers are not used: the client needs to know only that the gateway accepted the message. */
type HandlerApi = {
  [Name in 'sendToolResult' | 'approveToolExecution' | 'rejectToolExecution']: (
    ...args: Parameters<CodeLabAPI[Name]>
  ) => Promise<unknown>;
};

export type ToolHandlerOptions = Partial<ToolConfig> & {
  api: HandlerApi;
  ask: AskUser;
  /** Runs one call; a thrown error is reported as its failure. */
  execute(signal: ToolExecutionSignal, execution: ToolExecution): Promise<ToolResult>;
  /** Throws a ToolError for a request that this machine would refuse, so that no dialog is shown for it. */
  validate?(tool: string, args: Record<string, unknown>): Promise<void>;
  /** The store of everything that must survive a restart; a page has none. */
  store?: ExecutionStore;
  /** Notices for a person: results that were refused, messages that cannot be read. */
  onNotice?(text: string): void;
};
