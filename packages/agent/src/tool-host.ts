// Where an agent's calls are carried out: in this process, or in the editor that holds the files. The agent knows no more of tools.
import type { ApprovalRequest, Decision, Kind, Outcome, ToolCall } from '@codelab/protocol';
import type { ModelTool } from './model.ts';

export type HostTool = ModelTool & { kind: Kind };

export type HostEvent =
  | { type: 'approval'; approval: ApprovalRequest }
  | { type: 'decided'; approvalId: string; decision: Decision['kind'] | 'expired' }
  | { type: 'progress'; progress: Record<string, unknown> }
  | { type: 'outcome'; outcome: Outcome };

export type ToolHost = {
  /**
   * What a profile may use now, and of that what a window of so many tokens has room for; the same list again while nothing has changed,
   * so that it is written to the wire once.
   */
  tools(profile: string, signal: AbortSignal, window?: number): Promise<readonly HostTool[]>;
  /** The last event is the outcome. A call whose id was seen before is joined or answered from the log, never run again. */
  execute(call: ToolCall, signal: AbortSignal): AsyncIterable<HostEvent>;
  /** Records a call that is not carried out, and why. */
  refuse(
    call: ToolCall,
    error: { code: 'INVALID_ARGUMENTS' | 'CANCELLED'; message: string },
  ): Promise<Outcome>;
  /** What the model reads of a call that was carried out, in about so many tokens at most, with the way to the rest. */
  tell(outcome: Outcome, tokens?: number): string;
  /** The list of things to do, as a model reads it; empty where there is none. */
  todos(): Promise<string>;
};
