// One session as its log says it stands now, and the only way to add to it: say what to append given the present state;
// when another writer was first, the state is brought up to date and the question is put again.
import {
  type CallState,
  type EventBody,
  nextCallState,
  type Outcome,
  type Rule,
  type SessionEvent,
  type SessionLog,
  ToolError,
} from '@codelab/protocol';
import { latestOutcome } from './latest-outcome.ts';
import { digestJson } from './workspace/digest.ts';

type Completed = Extract<Outcome, { status: 'completed' }>;

/** A finished call: where its outcome is in the log, and what was asked, to tell a repeat from another call with its id. */
export type Finished = { seq: number; asked: string };

export class LiveSession {
  readonly id: string;
  readonly rules: Rule[] = [];
  readonly #log: SessionLog;
  readonly #workspace: string;
  readonly #open = new Map<string, CallState>();
  readonly #finished = new Map<string, Finished>();
  readonly #seen = new Map<string, string>();
  /** Where the latest completed call of each tool ended. */
  readonly #latest = new Map<string, number>();
  #forkedFrom: { session: string; seq: number } | undefined;
  readonly #watchers = new Set<(event: SessionEvent) => void>();
  #seq = 0;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(log: SessionLog, id: string, workspace: string) {
    this.#log = log;
    this.id = id;
    this.#workspace = workspace;
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

  finished(callId: string): Finished | undefined {
    return this.#finished.get(callId);
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
      return this.#forkedFrom && (await latestOutcome(this.#log, this.#forkedFrom, tool));
    const [event] = await this.#log.read(this.id, { since: seq - 1, limit: 1 });
    const outcome = event?.body.type === 'call.finished' ? event.body.outcome : undefined;
    return outcome?.status === 'completed' ? outcome : undefined;
  }

  /** `build` sees the present state and says what to append; it may refuse by throwing. */
  commit(build: () => EventBody[], options: { durable?: boolean } = {}): Promise<SessionEvent[]> {
    const turn = this.#turn.then(() => this.#append(build, options));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async catchUp(): Promise<void> {
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

  async #append(build: () => EventBody[], options: { durable?: boolean }): Promise<SessionEvent[]> {
    for (;;) {
      const wanted = build();
      if (wanted.length === 0) return [];
      const bodies: EventBody[] =
        this.#seq === 0 ? [{ type: 'session.opened', workspace: this.#workspace }, ...wanted] : wanted;
      try {
        const events = await this.#log.append(this.id, bodies, { expected: this.#seq, ...options });
        for (const event of events) this.#apply(event);
        return events;
      } catch (error) {
        if (!(error instanceof ToolError && error.code === 'LOG_CONFLICT')) throw error;
        const before = this.#seq;
        await this.catchUp();
        // Nobody was first: what we know of is gone.
        if (this.#seq === before)
          throw new ToolError('SESSION_NOT_FOUND', `The session ${this.id} was deleted meanwhile.`);
      }
    }
  }

  #apply(event: SessionEvent): void {
    if (event.seq <= this.#seq) return;
    this.#seq = event.seq;
    for (const listener of this.#watchers) listener(event);
    const body = event.body;
    if (body.type === 'rule.remembered') this.rules.push(body.rule);
    if (body.type === 'session.opened') this.#forkedFrom = body.forkedFrom;
    const callId = body.type === 'call.received' ? body.call.id : 'callId' in body ? body.callId : undefined;
    if (callId === undefined || this.#finished.has(callId)) return;
    const state = nextCallState(this.#open.get(callId), event);
    if (state === undefined) return;
    if ('outcome' in state) {
      if (state.outcome.status === 'completed') {
        this.#latest.set(state.outcome.tool, event.seq);
        for (const { path, print } of state.outcome.seen ?? []) this.#seen.set(path, print);
      }
      this.#open.delete(callId);
      this.#finished.set(callId, { seq: event.seq, asked: askedOf(state) });
    } else this.#open.set(callId, state);
  }
}

/** What makes two calls with one id the same call. */
export function askedOf(state: { call: { tool: string; args: Record<string, unknown> } }): string {
  return digestJson([state.call.tool, state.call.args]);
}
