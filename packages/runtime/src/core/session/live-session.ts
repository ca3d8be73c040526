// One session as its log says it stands now, and the only way to add to it: say what to append given the present state;
// when another writer was first, the state is brought up to date and the question is put again.
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

/** A long session is read in pages: all of it at once would take gigabytes, and no other call would be served meanwhile. */
const newsAtOnce = { limit: 1000, maxChars: 4 * 1024 * 1024 };

export class LiveSession {
  readonly id: string;
  readonly #log: SessionLog;
  readonly #workspace: string;
  readonly #state = newFoldedSession();
  readonly rules: readonly Rule[] = this.#state.rules;
  /** Calls that have not ended. */
  readonly openCalls: ReadonlyMap<string, CallState> = this.#state.open;
  /** Also of calls that have ended. */
  readonly decidedApprovals: ReadonlySet<string> = this.#state.decidedApprovals;
  /** What an editor holds and has not saved, by the path in the workspace. */
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

  /** Undefined while nobody has chosen one for it. */
  get mode(): PolicyMode | undefined {
    return this.#state.mode;
  }

  /** What was said to the agent while it works. */
  get messages(): MessageQueue {
    return messageQueueOf(this.#state);
  }

  /** Whom it belongs to; undefined for the operator. */
  get owner(): string | undefined {
    return this.#state.opened?.owner;
  }

  /** Its calls are carried out by a client that has the files. */
  get isElsewhere(): boolean {
    return this.#state.opened?.executor === 'client';
  }

  pass(callId: string): CallPass {
    return this.#state.passes.get(callId) ?? {};
  }

  finished(callId: string): Finished | undefined {
    return this.#state.finished.get(callId);
  }

  /** The call of this id, also when it has ended, and the entry it was received with. */
  received(callId: string): ReturnType<typeof receivedCall> {
    return receivedCall(this.#log, this.id, this.#state, callId);
  }

  /** Which version of a file was read or written last in this session. */
  seen(path: string): string | undefined {
    return this.#state.seen.get(path);
  }

  outcome(callId: string): Promise<Outcome | undefined> {
    return outcomeOf(this.#log, this.id, this.#state, callId);
  }

  /** How the latest completed call of a tool ended, also before the fork when there was one. */
  async latest(tool: string): ReturnType<typeof latestOutcome> {
    await this.catchUp();
    return await latestOutcome(this.#log, this.id, this.#state, tool);
  }

  /** `build` sees the present state and says what to append; it may refuse by throwing. */
  commit(build: () => EventBody[], options?: CommitOptions): Promise<SessionEvent[]> {
    return this.#commits.add(build, options);
  }

  /** Whoever asks before it is looked shares the look. */
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

  /** Waits until `check` finds something, looking again after every event, also those of other processes. */
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
      stop.abort();
    }
    signal.throwIfAborted();
    throw new ToolError('INTERNAL', 'The session log ended.');
  }

  /** Told of every event as it becomes known here. Returns how to stop. */
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
      // What another one appended may become known here while the append is under way.
      const expected = this.#seq;
      try {
        const events = await this.#log.append(this.id, bodies, { expected, durable });
        for (const event of events) this.#apply(event);
        for (const { commit, bodies: added } of wanted) commit.resolve(events.splice(0, added.length));
        return;
      } catch (error) {
        if (!(error instanceof ToolError && error.code === 'LOG_CONFLICT')) throw error;
        await this.catchUp();
        // Nobody was first: what we know of is gone.
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

// Who wants to add to a session waits here. Those that look at different calls can't disturb each other and are written together.

type CommitOptions = {
  /** On the disk before it is answered. */
  durable?: boolean;
  /** `build` looks at the state of this call, and at nothing else of the session. */
  about?: string;
};

type Commit = {
  build: () => EventBody[];
  options: CommitOptions;
  resolve(events: SessionEvent[]): void;
  reject(error: unknown): void;
};

/** `write` answers every one of a group. */
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
        // Calls that are as far in this turn of the event loop come along.
        process.nextTick(() => void writeAll());
      }),
  };
}

/** How many from the front each look at a call of their own; one that looks at more goes alone. */
function groupLength(waiting: readonly Commit[]): number {
  const calls = new Set<string>();
  for (const { options } of waiting) {
    if (options.about === undefined || calls.has(options.about)) break;
    calls.add(options.about);
  }
  return Math.max(1, calls.size);
}

/** What one wants to add in the present state; whoever wants nothing, or refuses, is answered here. */
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
