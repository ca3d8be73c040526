// An agent at work in a session: who decides, where its calls go, where it is written down, and who is listening.
import type { AgentSignal, EventBody, SessionEvent, TurnEnd } from '@codelab/protocol';
import type { Model } from './model.ts';
import type { ToolHost } from './tool-host.ts';

/** The session's log, as far as an agent needs it. Sequence numbers count from before a fork. */
export type TurnLog = {
  session: string;
  record(bodies: readonly EventBody[]): Promise<SessionEvent[]>;
  read(): Promise<SessionEvent[]>;
  /** What has come since, from whomever; some of it may be known already. */
  news(): Promise<SessionEvent[]>;
  /** One turn of a session at a time, in whatever process: throws when another is under way. */
  hold(): Promise<Disposable>;
};

/** Texts of the workspace that are put before the model unasked; undefined for what is not there or not text. */
export type Texts = {
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
  texts: Texts;
  /** Where it works, as the model is told; the same text for the whole session. */
  environment?: string;
  /** The call that started it, for a sub-agent. */
  id?: string;
  /** Asked before each request to the model; sub-agents share it. */
  limit?(): TurnStop | undefined;
  emit(signal: AgentSignal): void;
  /** Tells the user something that changes nothing, such as what a model does not take. */
  notice?(text: string): void;
};
