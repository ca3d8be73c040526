// One session in its current state, and the only way to append to it: a commit builds its events from the state; when another writer was
// first, the state is brought up to date and the commit builds again.
import { setImmediate as otherWork } from 'node:timers/promises';
import {
  type CallPass,
  type CallState,
  type EventBody,
  type MessageQueue,
  type Outcome,
  type PolicyMode,
  type Rule,
  type SessionEvent,
  type SessionLog,
  ToolError,
} from '@codelab/protocol';
import { applyEvent, type Finished, messageQueueOf, newFoldedSession } from './folded-session.ts';
import { latestOutcome, outcomeOf, receivedCall } from './session-history.ts';

/** A long session is read in pages: reading it whole would take gigabytes and block all other calls. */
const newsAtOnce = { limit: 1000, maxChars: 4 * 1024 * 1024 };

export class LiveSession {
  readonly id: string;
  readonly #log: SessionLog;
  readonly #workspace: string;
  readonly #state = newFoldedSession();
  readonly rules: readonly Rule[] = this.#state.rules;
  /** Calls that have not ended. */
  readonly openCalls: ReadonlyMap<string, CallState> = this.#state.open;
  /** Includes those of finished calls. */
  readonly decidedApprovals: ReadonlySet<string> = this.#state.decidedApprovals;
  /** Unsaved texts of editors, by path in the workspace. */
  readonly unsavedTexts: ReadonlyMap<string, string> = this.#state.unsavedTexts;
  readonly #watchers = new Set<(event: SessionEvent) => void>();
  #seq = 0;
  #look: Promise<void> | undefined;
  readonly #commits = createCommitQueue((group) => this.#append(group));

  private constructor(log: SessionLog, id: string, workspace: string) {
    [this.#log, this.id, this.#workspace] = [log, id, workspace];
  }

  static async open(log: SessionLog, id: string, workspace: string): Promise<LiveSession> {
    const session = new LiveSession(log, id, workspace);
    await session.catchUp();
    return session;
  }

  /** Undefined until a mode is chosen for the session. */
  get mode(): PolicyMode | undefined {
    return this.#state.mode;
  }

  /** Messages that were sent while the agent works. */
  get messages(): MessageQueue {
    return messageQueueOf(this.#state);
  }

  /** The owner; undefined for the operator. */
  get owner(): string | undefined {
    return this.#state.opened?.owner;
  }

  /** A client that has the files runs its calls. */
  get isElsewhere(): boolean {
    return this.#state.opened?.executor === 'client';
  }

  pass(callId: string): CallPass {
    return this.#state.passes.get(callId) ?? {};
  }

  finished(callId: string): Finished | undefined {
    return this.#state.finished.get(callId);
  }

  /** The call with this id, finished or not, and its log entry. */
  received(callId: string): ReturnType<typeof receivedCall> {
    return receivedCall(this.#log, this.id, this.#state, callId);
  }

  /** The version of a file at its last read or write in this session. */
  seen(path: string): string | undefined {
    return this.#state.seen.get(path);
  }

  outcome(callId: string): Promise<Outcome | undefined> {
    return outcomeOf(this.#log, this.id, this.#state, callId);
  }

  /** The outcome of a tool's latest completed call, including calls before a fork. */
  async latest(tool: string): ReturnType<typeof latestOutcome> {
    await this.catchUp();
    return await latestOutcome(this.#log, this.id, this.#state, tool);
  }

  /** `build` gets the present state and returns the events to append; it may refuse by throwing. */
  commit(build: () => EventBody[], options?: CommitOptions): Promise<SessionEvent[]> {
    return this.#commits.add(build, options);
  }

  /** Callers that arrive before the read starts share it. */
  catchUp(): Promise<void> {
    this.#look ??= new Promise<void>((resolve, reject) => {
      process.nextTick(() => {
        this.#look = undefined;
        this.#readNews().then(resolve, reject);
      });
    });
    return this.#look;
  }

  async #readNews(): Promise<void> {
    for (;;) {
      const events = await this.#log.read(this.id, { since: this.#seq, ...newsAtOnce });
      for (const event of events) this.#apply(event);
      if (events.length === 0) return;
      if (events.length === newsAtOnce.limit) await otherWork();
    }
  }

  /** Waits until `check` returns a value, and checks again after every event, including those of other processes. */
  async waitFor<T>(check: () => T | undefined, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const stop = new AbortController();
    const events = this.#log.subscribe(this.id, {
      since: this.#seq,
      signal: AbortSignal.any([signal, stop.signal]),
    });
    try {
      const now = check();
      if (now !== undefined) return now;
      for await (const event of events) {
        this.#apply(event);
        const found = check();
        if (found !== undefined) return found;
      }
    } finally {
      stop.abort('over'); // Without a reason, an error with a stack is made.
    }
    signal.throwIfAborted();
    throw new ToolError('INTERNAL', 'The session log ended.');
  }

  /** Calls the listener with each new event. Returns a function that stops it. */
  watch(listener: (event: SessionEvent) => void): () => void {
    this.#watchers.add(listener);
    return () => this.#watchers.delete(listener);
  }

  async #append(group: readonly Commit[]): Promise<void> {
    for (let waiting = group; ; ) {
      const wanted = waiting.flatMap(askBuild);
      if (wanted.length === 0) return;
      const [first] = wanted;
      if (this.#seq === 0) first?.bodies.unshift({ type: 'session.opened', workspace: this.#workspace });
      const durable = wanted.some(({ commit }) => commit.options.durable);
      const bodies = wanted.flatMap((wish) => wish.bodies);
      // An event of another writer may arrive during the append.
      const expected = this.#seq;
      try {
        const events = await this.#log.append(this.id, bodies, { expected, durable });
        for (const event of events) this.#apply(event);
        for (const { commit, bodies: added } of wanted) commit.resolve(events.splice(0, added.length));
        return;
      } catch (error) {
        if (!(error instanceof ToolError && error.code === 'LOG_CONFLICT')) throw error;
        await this.catchUp();
        // No other writer was first, so the known log is gone.
        if (this.#seq === expected)
          throw new ToolError('SESSION_NOT_FOUND', `The session ${this.id} was deleted meanwhile.`);
        waiting = wanted.map(({ commit }) => commit);
      }
    }
  }

  #apply(event: SessionEvent): void {
    if (event.seq <= this.#seq) return;
    this.#seq = event.seq;
    for (const listener of this.#watchers) listener(event);
    applyEvent(this.#state, event);
  }
}

// Commits wait here. Commits about different calls can't conflict and are written together.

type CommitOptions = {
  /** Waits until the events are on the disk. */
  durable?: boolean;
  /** `build` depends only on the state of this call. */
  about?: string;
};

type Commit = {
  build: () => EventBody[];
  options: CommitOptions;
  resolve(events: SessionEvent[]): void;
  reject(error: unknown): void;
};

/** `write` settles every commit of a group. */
export function createCommitQueue(write: (group: Commit[]) => Promise<void>): { add: LiveSession['commit'] } {
  const waiting: Commit[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, groupLength(waiting));
      try {
        await write(group);
      } catch (error) {
        for (const commit of group) commit.reject(error);
      }
    }
    isWriting = false;
  }

  return {
    add: (build, options = {}) =>
      new Promise((resolve, reject) => {
        waiting.push({ build, options, resolve, reject });
        if (isWriting) return;
        isWriting = true;
        // Calls that get here in the same turn of the event loop are included.
        process.nextTick(() => void writeAll());
      }),
  };
}

/** How many commits from the front are about one call each, all different; a commit about more is written alone. */
function groupLength(waiting: readonly Commit[]): number {
  const calls = new Set<string>();
  for (const { options } of waiting) {
    if (options.about === undefined || calls.has(options.about)) break;
    calls.add(options.about);
  }
  return Math.max(1, calls.size);
}

/** Builds the events of a commit from the current state; a commit without events, or one that refuses, is settled here. */
function askBuild(commit: Commit): { commit: Commit; bodies: EventBody[] }[] {
  try {
    const bodies = commit.build();
    if (bodies.length > 0) return [{ commit, bodies: [...bodies] }];
    commit.resolve([]);
  } catch (error) {
    commit.reject(error);
  }
  return [];
}
