// An agent at work in a session: who decides, where its calls go, where it is written down, and who is listening.
import type {
  AgentSignal,
  ApprovalRequest,
  Decision,
  EventBody,
  Kind,
  Outcome,
  SessionEvent,
  ToolCall,
  TurnEnd,
} from '@codelab/protocol';
import type { Conversation } from './conversation.ts';
import type { Model, ModelTool } from './model.ts';

/** The session's log, as far as an agent needs it. Sequence numbers count from before a fork. */
export type TurnLog = {
  session: string;
  record(bodies: readonly EventBody[]): Promise<SessionEvent[]>;
  /** `build` is asked at the moment of writing; it may refuse by throwing. */
  recordIf(build: () => EventBody[]): Promise<SessionEvent[]>;
  read(): Promise<SessionEvent[]>;
  /** What has come since, from whomever; some of it may be known already. */
  news(): Promise<SessionEvent[]>;
  /** One turn of a session at a time, in whatever process: throws when another is under way. */
  hold(): Promise<Disposable>;
  partial: PartialReply;
};

/** What was streamed of a reply that the log does not have yet. It outlives the process. */
export type PartialReply = {
  add(text: string): void;
  /** It is void, or the log has it. */
  drop(): void;
  /** What a process that is gone left behind; empty otherwise. */
  left(): string;
};

/** Texts of the workspace that are put before the model unasked; undefined for what is not there or not text. */
export type WorkspaceTexts = {
  read(path: string, maxBytes: number): Promise<string | undefined>;
  /** What people have written down for agents: the user's own, then the workspace's from its root downwards. */
  instructions(): Promise<{
    files: readonly { name: string; text: string }[];
    /** Those of a workspace that the user has not trusted: there, but not to be followed. */
    held: readonly string[];
  }>;
  /** What an editor holds of a file and has not saved. */
  unsaved(path: string): Promise<string | undefined>;
  /** False: a client has the files, and nothing but unsaved texts can be read here. */
  hasFiles: boolean;
};

/** A role: which tools it sees is the host's business, how it should behave is its prompt. */
export type AgentProfile = { name: string; prompt: string; model?: string; steps?: number };

/** Why a turn goes no further, though nobody cancelled it and nothing failed. */
export type TurnStop = { end: TurnEnd; message: string };

export type Agent = {
  model: Model;
  profile: AgentProfile;
  host: ToolHost;
  log: TurnLog;
  texts: WorkspaceTexts;
  /** Where it works, as the model is told; the same text for the whole session. */
  environment?: string;
  /** The call that started it, for a sub-agent. */
  id?: string;
  /** A person is at the session: what is asked waits for them. */
  isAttended?: boolean;
  /** Records what people said since the last step and want read before the next one. */
  takeSteering?(turn: number): Promise<SessionEvent[]>;
  /** Asked before each request to the model; sub-agents share it. */
  limit?(): TurnStop | undefined;
  emit(signal: AgentSignal): void;
  /** Tells the user something that changes nothing, such as what a model does not take. */
  notice?(text: string): void;
};

/** Writes into the log of a session what an agent said or did, and into its conversation what came of it. */
export async function recordEvents(agent: Agent, talk: Conversation, ...bodies: EventBody[]): Promise<void> {
  for (const event of await agent.log.record(bodies)) talk.apply(event);
}

/** Whose event it is: a sub-agent's bear the call that started it. */
export function agentField({ id }: Agent): { agent?: string } {
  return id === undefined ? {} : { agent: id };
}

/** Where an agent's calls are carried out: in this process, or in the editor that holds the files. The agent knows no more of tools. */
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
  /**
   * How many of these calls, from the first on, can be put to a human together: each of them is asked about as it is planned now, and none
   * touches what another does. Fewer than two means that the first goes alone.
   */
  askedTogether?(calls: readonly ToolCall[], signal: AbortSignal): Promise<number>;
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
