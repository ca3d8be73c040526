// One session as its log says it stands now, and the only way to add to it: say what to append given the present state;
// when another writer was first, the state is brought up to date and the question is put again.
import {
  type CallPass,
  type CallState,
  createMessageQueue,
  type EventBody,
  nextCallState,
  type Outcome,
  type PolicyMode,
  passIn,
  type Rule,
  type SessionEvent,
  type SessionLog,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import { digestJson } from '../../platform/digest.ts';
import { askBuild, type Commit, type CommitOptions, createCommitQueue } from './commit-queue.ts';
import { latestOutcome } from './latest-outcome.ts';
import { createUnsavedTexts } from './unsaved-texts.ts';

type Completed = Extract<Outcome, { status: 'completed' }>;

/** A finished call: where its outcome is in the log, and where it says what was asked. */
export type Finished = { seq: number; received: number };

type Opened = Extract<EventBody, { type: 'session.opened' }>;

export class LiveSession {
  readonly id: string;
  readonly rules: Rule[] = [];
  /** Undefined while nobody has chosen one for it. */
  mode: PolicyMode | undefined;
  readonly #log: SessionLog;
  readonly #workspace: string;
  readonly #open = new Map<string, CallState>();
  /** Also of calls that have ended. */
  readonly decidedApprovals = new Set<string>();
  /** Where the calls that have not ended were received. */
  readonly #received = new Map<string, number>();
  readonly #finished = new Map<string, Finished>();
  readonly #seen = new Map<string, string>();
  /** Where the latest completed call of each tool ended. */
  readonly #latest = new Map<string, number>();
  readonly #unsaved = createUnsavedTexts();
  /** What was said to the agent while it works. */
  readonly messages = createMessageQueue();
  #opened: Opened | undefined;
  /** Of calls that have not ended: what let them run, and who carries them out. */
  readonly #passes = new Map<string, CallPass>();
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

  /** Calls that have not ended. */
  get openCalls(): ReadonlyMap<string, CallState> {
    return this.#open;
  }

  /** Whom it belongs to; undefined for the operator. */
  get owner(): string | undefined {
    return this.#opened?.owner;
  }

  /** Its calls are carried out by a client that has the files. */
  get isElsewhere(): boolean {
    return this.#opened?.executor === 'client';
  }

  /** What an editor holds and has not saved, by the path in the workspace. */
  get unsavedTexts(): ReadonlyMap<string, string> {
    return this.#unsaved.texts;
  }

  pass(callId: string): CallPass {
    return this.#passes.get(callId) ?? {};
  }

  finished(callId: string): Finished | undefined {
    return this.#finished.get(callId);
  }

  /** What was asked under this id, to tell a repeat from another call with it. */
  async asked(callId: string): Promise<string | undefined> {
    const found = await this.received(callId);
    return found && askedOf(found);
  }

  /** The call of this id, also when it has ended, and the entry it was received with. */
  async received(callId: string): Promise<{ seq: number; call: ToolCall } | undefined> {
    const open = this.#open.get(callId);
    if (open !== undefined) return { seq: this.#received.get(callId) ?? 0, call: open.call };
    const found = this.#finished.get(callId);
    if (found === undefined) return undefined;
    const [event] = await this.#log.read(this.id, { since: found.received - 1, limit: 1 });
    return event?.body.type === 'call.received' ? { seq: event.seq, call: event.body.call } : undefined;
  }

  /** Which version of a file was read or written last in this session. */
  seen(path: string): string | undefined {
    return this.#seen.get(path);
  }

  async outcome(callId: string): Promise<Outcome | undefined> {
    const found = this.#finished.get(callId);
    if (found === undefined) return undefined;
    const [event] = await this.#log.read(this.id, { since: found.seq - 1, limit: 1 });
    return event?.body.type === 'call.finished' ? event.body.outcome : undefined;
  }

  /** How the latest completed call of a tool ended, also before the fork when there was one. */
  async latest(tool: string): Promise<Completed | undefined> {
    await this.catchUp();
    const seq = this.#latest.get(tool);
    if (seq === undefined)
      return this.#opened?.forkedFrom && (await latestOutcome(this.#log, this.#opened.forkedFrom, tool));
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
    for (const event of await this.#log.read(this.id, { since: this.#seq })) this.#apply(event);
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
    const body = event.body;
    this.#unsaved.apply(body);
    this.messages.apply(event);
    if (body.type === 'rule.remembered') this.rules.push(body.rule);
    if (body.type === 'mode.changed') this.mode = body.mode;
    if (body.type === 'session.opened') this.#opened = body;
    if (body.type === 'approval.decided') this.decidedApprovals.add(body.approvalId);
    const callId = body.type === 'call.received' ? body.call.id : 'callId' in body ? body.callId : undefined;
    if (callId === undefined || this.#finished.has(callId)) return;
    this.#note(callId, body);
    const state = nextCallState(this.#open.get(callId), event);
    if (state === undefined) return;
    if ('outcome' in state) {
      if (state.outcome.status === 'completed') {
        this.#latest.set(state.outcome.tool, event.seq);
        for (const { path, print } of state.outcome.seen ?? []) this.#seen.set(path, print);
      }
      this.#open.delete(callId);
      this.#passes.delete(callId);
      this.#finished.set(callId, { seq: event.seq, received: this.#received.get(callId) ?? 0 });
      this.#received.delete(callId);
    } else {
      if (body.type === 'call.received' && !this.#received.has(callId)) this.#received.set(callId, event.seq);
      this.#open.set(callId, state);
    }
  }

  #note(callId: string, body: EventBody): void {
    const news = passIn(body);
    if (news !== undefined) this.#passes.set(callId, { ...this.pass(callId), ...news });
  }
}

/** What makes two calls with one id the same call. */
export function askedOf(state: { call: { tool: string; args: Record<string, unknown> } }): string {
  return digestJson([state.call.tool, state.call.args]);
}
