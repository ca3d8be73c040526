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
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import { askBuild, type Commit, type CommitOptions, createCommitQueue } from './commit-queue.ts';
import { applyEvent, type Finished, messageQueueOf, newFoldedSession } from './folded-session.ts';
import { latestOutcome } from './latest-outcome.ts';

type Completed = Extract<Outcome, { status: 'completed' }>;

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
  async received(callId: string): Promise<{ seq: number; call: ToolCall } | undefined> {
    const open = this.#state.open.get(callId);
    if (open !== undefined) return { seq: this.#state.received.get(callId) ?? 0, call: open.call };
    const found = this.#state.finished.get(callId);
    if (found === undefined) return undefined;
    const [event] = await this.#log.read(this.id, { since: found.received - 1, limit: 1 });
    return event?.body.type === 'call.received' ? { seq: event.seq, call: event.body.call } : undefined;
  }

  /** Which version of a file was read or written last in this session. */
  seen(path: string): string | undefined {
    return this.#state.seen.get(path);
  }

  async outcome(callId: string): Promise<Outcome | undefined> {
    const found = this.#state.finished.get(callId);
    if (found === undefined) return undefined;
    const [event] = await this.#log.read(this.id, { since: found.seq - 1, limit: 1 });
    return event?.body.type === 'call.finished' ? event.body.outcome : undefined;
  }

  /** How the latest completed call of a tool ended, also before the fork when there was one. */
  async latest(tool: string): Promise<Completed | undefined> {
    await this.catchUp();
    const seq = this.#state.latest.get(tool);
    const origin = this.#state.opened?.forkedFrom;
    if (seq === undefined) return origin && (await latestOutcome(this.#log, origin, tool));
    const [event] = await this.#log.read(this.id, { since: seq - 1, limit: 1 });
    const outcome = event?.body.type === 'call.finished' ? event.body.outcome : undefined;
    return outcome?.status === 'completed' ? outcome : undefined;
  }

  /** `build` sees the present state and says what to append; it may refuse by throwing. */
  commit(build: () => EventBody[], options: CommitOptions = {}): Promise<SessionEvent[]> {
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
    for (let left = group; ; ) {
      const asked = left.flatMap(askBuild);
      if (asked.length === 0) return;
      const [first] = asked;
      if (this.#seq === 0) first?.bodies.unshift({ type: 'session.opened', workspace: this.#workspace });
      const durable = asked.some(({ commit }) => commit.options.durable);
      const bodies = asked.length === 1 && first ? first.bodies : asked.flatMap((one) => one.bodies);
      // What another one appended may become known here while the append is under way.
      const expected = this.#seq;
      try {
        const events = await this.#log.append(this.id, bodies, { expected, durable });
        for (const event of events) this.#apply(event);
        for (const { commit, bodies: own } of asked) commit.resolve(events.splice(0, own.length));
        return;
      } catch (error) {
        if (!(error instanceof ToolError && error.code === 'LOG_CONFLICT')) throw error;
        await this.catchUp();
        // Nobody was first: what we know of is gone.
        if (this.#seq === expected)
          throw new ToolError('SESSION_NOT_FOUND', `The session ${this.id} was deleted meanwhile.`);
        left = asked.map(({ commit }) => commit);
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
