// The store of session logs. SQLite implements it for one machine; a JetStream stream with a subject per session can as well.
import type { EventBody, SessionEvent } from './event.ts';

export type Head = { seq: number; hash: string };

export type SessionSummary = { id: string; head: Head; openedAt: number; lastAt: number; workspace: string };

export type AppendOptions = {
  /** The sequence the writer believes is the last; another head refuses the append with LOG_CONFLICT. */
  expected: number;
  /** Syncs the entries to the disk before it returns: for human decisions and the start of effects. */
  durable?: boolean;
  /** When the entries were first recorded, if they are copied from another log. Their hashes cover it. */
  time?: number;
};

export type ReadOptions = {
  since?: number;
  limit?: number;
  /** About how many characters at most; an entry that is longer comes alone. */
  maxChars?: number;
};

/**
 * The first entry of a session that differs from its recorded form; 0 and no session when the whole store is damaged. `advice` names files
 * of this machine, for its user.
 */
export type Damage = { session: string; seq: number; problem: string; advice?: string };

/** `at` is a position in the log: it grows with every call that changed files, over all sessions. */
export type ChangedAt = { session: string; seq: number; at: number };

/** `head` is the last entry of the session: the start of the call is not far before it. */
export type UnfinishedCall = { session: string; callId: string; head: number };

/** The state of the servers that keep a log. */
export type LogServers = {
  /** The address of the servers, without passwords. */
  where: string;
  isConnected(): boolean;
  /** Appends that another writer was before, since the start. */
  readonly conflicts: number;
  /** Appends of others that are not known here yet. */
  readonly lag: number;
};

/** The head of a session now; 0 when the session was deleted. */
export type HeadListener = (session: string, seq: number) => void;

export type SessionLog = {
  append(session: string, bodies: readonly EventBody[], options: AppendOptions): Promise<SessionEvent[]>;
  /** Events with `seq > since`, in order. */
  read(session: string, options?: ReadOptions): Promise<SessionEvent[]>;
  /** All entries after `since`, then new ones, until the signal aborts. */
  subscribe(session: string, options: { since: number; signal: AbortSignal }): AsyncIterable<SessionEvent>;
  /** Calls that started in this workspace and have no outcome yet. */
  unfinished(workspace: string): Promise<UnfinishedCall[]>;
  /**
   * Finished calls that changed files in this workspace, by latest append, whatever the clock; with `before` only those at an earlier
   * position.
   */
  changed(workspace: string, limit: number, before?: number): Promise<ChangedAt[]>;
  /** Whatever is appended from now on has a later position. */
  position(): Promise<number>;
  sessions(): Promise<SessionSummary[]>;
  /** Sessions among whose latest entries something was asked: what rested for long may wait in one of these, and in no other. */
  asking(): Promise<string[]>;
  /** Sessions with a call that was asked about or started and has not ended. Undefined where only their entries tell. */
  withOpenCalls?(): Promise<string[]>;
  /** The first damage of a session, if there is any. Takes its time without keeping others from theirs. */
  prove(session: string, signal: AbortSignal): Promise<Damage | undefined>;
  /** Forgets a session whole. Refused while one of its calls runs, and while a fork of it needs it. Who deleted it stays on record. */
  delete(session: string, by?: { who: string; via: string }): Promise<void>;
  close(): Promise<void>;
  /** Calls the listener after every append of anybody. Where the log can't do that itself, its folder is to be watched. Returns how to stop. */
  watchHeads?(listener: HeadListener): () => void;
  /** Undefined where the log is on this machine. */
  servers?: LogServers;
};
