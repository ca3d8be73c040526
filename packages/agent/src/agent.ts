// An agent at work in a session: its model, the host that runs its calls, the log, and the listener of its events.
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

/** The session's log, as far as an agent needs it. Sequence numbers include the events before a fork. */
export type TurnLog = {
  session: string;
  record(bodies: readonly EventBody[]): Promise<SessionEvent[]>;
  /** `build` is called at the moment of writing; it may refuse by throwing. */
  recordIf(build: () => EventBody[]): Promise<SessionEvent[]>;
  read(): Promise<SessionEvent[]>;
  /** Events since the last call, from any writer; some of them may already be known. */
  news(): Promise<SessionEvent[]>;
  /** One turn of a session at a time, across processes: throws when another is running. */
  hold(): Promise<Disposable>;
  partial: PartialReply;
};

/** The streamed part of a reply that is not in the log yet. It outlives the process. */
export type PartialReply = {
  add(text: string): void;
  /** Call when the streamed text is void, or the log has the reply. */
  drop(): void;
  /** The text that an ended process left behind; empty otherwise. */
  unfinishedText(): string;
};

/** Texts of the workspace that the model gets without a call; undefined for a file that does not exist or is not text. */
export type WorkspaceTexts = {
  read(path: string, maxBytes: number): Promise<string | undefined>;
  /** Instructions for agents: the user's own, then those of the workspace from its root downwards. */
  instructions(): Promise<{
    files: readonly { name: string; text: string }[];
    /** Instructions of a workspace that the user has not trusted: found, but not followed. */
    untrusted: readonly string[];
  }>;
  /** The text of a file that an editor has not saved. */
  unsaved(path: string): Promise<string | undefined>;
  /** False: a client has the files, and only unsaved texts can be read here. */
  hasFiles: boolean;
};

/** A role: the host decides which tools it sees, the prompt how it should behave. */
export type AgentProfile = { name: string; prompt: string; model?: string; steps?: number };

/** Why a turn stops although nobody cancelled it and nothing failed. */
export type TurnStop = { end: TurnEnd; message: string };

export type Agent = {
  model: Model;
  profile: AgentProfile;
  host: ToolHost;
  log: TurnLog;
  texts: WorkspaceTexts;
  /** Where the agent works, as text for the model; the same for the whole session. */
  environment?: string;
  /** The call that started a sub-agent. */
  id?: string;
  /** A person is at the session, so approvals wait for them. */
  isAttended?: boolean;
  /** Records messages that people sent since the last step and that the model must read before the next one. */
  takeSteering?(turn: number): Promise<SessionEvent[]>;
  /** Called before each request to the model; sub-agents share it. */
  limit?(): TurnStop | undefined;
  emit(signal: AgentSignal): void;
  /** Tells the user something that has no effect on the turn, such as what a model does not accept. */
  notice?(text: string): void;
};

/** Appends what an agent said or did to the session's log, and applies it to the conversation. */
export async function recordEvents(
  agent: Agent,
  conversation: Conversation,
  ...bodies: EventBody[]
): Promise<void> {
  for (const event of await agent.log.record(bodies)) conversation.apply(event);
}

/** The owner of an event: a sub-agent's events name the call that started it. */
export function agentField({ id }: Agent): { agent?: string } {
  return id === undefined ? {} : { agent: id };
}

/** Where an agent's calls run: in this process, or in the editor that has the files. The agent knows nothing else of tools. */
export type HostTool = ModelTool & { kind: Kind };

export type HostEvent =
  | { type: 'approval'; approval: ApprovalRequest }
  | { type: 'decided'; approvalId: string; decision: Decision['kind'] | 'expired' }
  | { type: 'progress'; progress: Record<string, unknown> }
  | { type: 'outcome'; outcome: Outcome };

export type ToolHost = {
  /**
   * The tools of a profile that fit into a window of this many tokens. The same array is returned while nothing has changed, so that it is
   * written to the wire once.
   */
  tools(profile: string, signal: AbortSignal, window?: number): Promise<readonly HostTool[]>;
  /** The last event is the outcome. A call with a known id is joined or answered from the log, never run again. */
  execute(call: ToolCall, signal: AbortSignal): AsyncIterable<HostEvent>;
  /**
   * How many of these calls, from the first on, can be approved together: each needs an approval as planned now, and none touches what
   * another does. Below two, the first goes alone.
   */
  askedTogether?(calls: readonly ToolCall[], signal: AbortSignal): Promise<number>;
  /** Records a call that is not run, and why. */
  refuse(
    call: ToolCall,
    error: { code: 'INVALID_ARGUMENTS' | 'CANCELLED'; message: string },
  ): Promise<Outcome>;
  /** The text of an outcome for the model, bounded to about `tokens`, with the way to read the rest. */
  tell(outcome: Outcome, tokens?: number): string;
  /** The todo list as a model reads it; empty when there is none. */
  todos(): Promise<string>;
};
