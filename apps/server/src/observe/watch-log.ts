// Reads every entry of the log, in the order of its session: entries of this process immediately, entries of others when this process
// appends again. Appending never waits for it.
import type { SessionEvent, SessionLog } from '@codelab/protocol';
import type { LogLines } from './log-lines.ts';
import { type Cause, currentCause } from './watch-peers.ts';

/** `isPast`: from before this process started watching. `cause` is known for entries that were appended here. */
export type LoggedEvent = { event: SessionEvent; isPast: boolean; cause: Cause };

type LogWatch = {
  /** Also reads the earlier entries of a session, all of them at its first entry here. */
  needsPast: boolean;
  witness(witnessed: LoggedEvent): void;
  forget(session: string): void;
  appended(ms: number, entries: number): void;
  onFault(error: unknown): void;
};

type Place = { last: number; waiting: LoggedEvent[]; isReading: boolean };

const pageOf = 500;

export function watchLog(log: SessionLog, watch: LogWatch): SessionLog {
  const witnesses = createWitnesses(log, watch);
  return {
    ...log,
    async append(session, bodies, options) {
      const before = performance.now();
      const events = await log.append(session, bodies, options);
      watch.appended(performance.now() - before, events.length);
      try {
        witnesses.look(session, events, currentCause());
      } catch (error) {
        watch.onFault(error);
      }
      return events;
    },
    async delete(session, by) {
      await log.delete(session, by);
      witnesses.forget(session);
      watch.forget(session);
    },
  };
}

type Witnesses = {
  look(session: string, events: readonly SessionEvent[], cause: Cause): void;
  forget(session: string): void;
};

/** Passes on each entry of a session once and in order; those that other processes appended in between are read from the log. */
function createWitnesses(log: SessionLog, watch: LogWatch): Witnesses {
  const since = Date.now();
  const places = new Map<string, Place>();

  function take(place: Place, logged: LoggedEvent): void {
    if (logged.event.seq <= place.last) return;
    place.last = logged.event.seq;
    watch.witness(logged);
  }

  async function fill(session: string, place: Place): Promise<void> {
    place.isReading = true;
    try {
      for (let first = place.waiting[0]; first !== undefined; first = place.waiting[0]) {
        const missing = first.event.seq - 1 - place.last;
        const page =
          missing > 0 ? await log.read(session, { since: place.last, limit: Math.min(missing, pageOf) }) : [];
        for (const event of page) take(place, { event, isPast: event.time < since, cause: {} });
        if (missing > page.length && page.length > 0) continue;
        place.waiting.shift();
        take(place, first);
      }
    } catch (error) {
      // Unreadable entries are skipped, so that waiting entries do not pile up.
      place.last = place.waiting.at(-1)?.event.seq ?? place.last;
      place.waiting = [];
      watch.onFault(error);
    } finally {
      place.isReading = false;
    }
  }

  return {
    look(session, events, cause) {
      const [first] = events;
      if (first === undefined) return;
      const last = watch.needsPast ? 0 : first.seq - 1;
      const place = places.get(session) ?? { last, waiting: [], isReading: false };
      places.set(session, place);
      const fresh = events.map((event) => ({ event, isPast: false, cause }));
      if (!place.isReading && first.seq === place.last + 1) {
        for (const logged of fresh) take(place, logged);
        return;
      }
      place.waiting.push(...fresh);
      if (!place.isReading) void fill(session, place);
    },
    forget: (session) => void places.delete(session),
  };
}

/** Log lines for entries of the session log: who, what, which, how long and how it ended; never message or file contents. */
type EventTeller = { witness(witnessed: LoggedEvent): void; forget(session: string): void };

/** The limit for beginnings that wait for their ends, whose duration is reported. */
const maxOpen = 20_000;

export function createEventLogger(lines: LogLines): EventTeller {
  const begun = new Map<string, number>();

  function begin(key: string, time: number): void {
    begun.set(key, time);
    if (begun.size > maxOpen) begun.delete(begun.keys().next().value ?? key);
  }

  function since(key: string, time: number): { ms?: number } {
    const from = begun.get(key);
    begun.delete(key);
    return from === undefined ? {} : { ms: time - from };
  }

  return {
    witness({ event, isPast, cause }) {
      if (isPast) return;
      const { request, who, via } = cause;
      const by = { ...(who && { who, via }), ...(request && { request }) };
      const line = lineOf(event, { begin, since });
      if (line === undefined) return;
      const { level, what, ...fields } = line;
      if (level === 'debug' && !lines.isDebug) return;
      lines[level](shortened({ session: event.session, ...by, ...fields }), what);
    },
    forget(session) {
      for (const key of begun.keys()) if (key.startsWith(`${session} `)) begun.delete(key);
    },
  };
}

/** Names come from models and peers; a line is not the place for long ones. */
const maxChars = 200;

function shortened(fields: Record<string, unknown>): Record<string, unknown> {
  const short = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, maxChars) : value);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(short) : short(value),
    ]),
  );
}

type Clock = { begin(key: string, time: number): void; since(key: string, time: number): { ms?: number } };
type Line = { level: 'info' | 'debug'; what: string } & Record<string, unknown>;

function lineOf({ session, time, body }: SessionEvent, clock: Clock): Line | undefined {
  switch (body.type) {
    case 'session.opened':
      return { level: 'info', what: 'session opened', ...(body.owner && { owner: body.owner }) };
    case 'turn.started': {
      const { turn, agent, model, profile } = body;
      clock.begin(`${session} turn ${turn} ${agent ?? ''}`, time);
      return { level: levelFor(agent), what: 'turn started', turn, agent, model, profile };
    }
    case 'turn.ended': {
      const { turn, agent, end } = body;
      const took = clock.since(`${session} turn ${turn} ${agent ?? ''}`, time);
      return { level: levelFor(agent), what: 'turn ended', turn, agent, end, ...took };
    }
    case 'model.replied': {
      const { turn, agent, reply } = body;
      const { model, stop, usage, calls } = reply;
      const facts = { model, stop, calls: calls.length, ...usage };
      return { level: 'debug', what: 'model replied', turn, agent, ...facts };
    }
    case 'rule.remembered': {
      const { id: rule, effect } = body.rule;
      return { level: 'info', what: 'rule remembered', rule, effect, ...body.by };
    }
    case 'mode.changed':
      return { level: 'info', what: 'mode changed', mode: body.mode, ...body.by };
    case 'terminal.opened':
      return { level: 'info', what: 'terminal opened', terminal: body.terminal, ...body.by };
    case 'worktree.merged': {
      const { branch, into, commit, by } = body;
      return { level: 'info', what: 'worktree merged', branch, into, commit, ...by };
    }
    case 'worktree.dropped': {
      const { branch, isBranchDeleted, files, commits, by } = body;
      return { level: 'info', what: 'worktree dropped', branch, isBranchDeleted, files, commits, ...by };
    }
    case 'terminal.closed': {
      const { terminal, end, exitCode, bytes, by } = body;
      return { level: 'info', what: 'terminal closed', terminal, end, exitCode, bytes, ...by };
    }
    case 'call.finished': {
      const { tool, status, durationMs: ms, effects } = body.outcome;
      const code = body.outcome.status === 'completed' ? {} : { code: body.outcome.error.code };
      const paths = effects.slice(0, 10).map(({ path }) => path);
      return { level: 'debug', what: 'call ended', call: body.callId, tool, status, ...code, ms, paths };
    }
    default:
      return approvalLine({ session, time, body }, clock);
  }
}

function approvalLine(
  { session, time, body }: Pick<SessionEvent, 'session' | 'time' | 'body'>,
  clock: Clock,
): Line | undefined {
  switch (body.type) {
    case 'approval.requested': {
      const { id: approval, tool, kind, verdict } = body.approval;
      clock.begin(`${session} approval ${approval}`, time);
      const why = { risk: verdict.risk, rule: verdict.rule };
      return { level: 'debug', what: 'approval asked', call: body.callId, approval, tool, kind, ...why };
    }
    case 'approval.decided': {
      const { callId: call, approvalId: approval, decision, by } = body;
      const waited = clock.since(`${session} approval ${approval}`, time);
      const answer = { decision: decision.kind, ...by, ...waited };
      return { level: 'info', what: 'approval decided', call, approval, ...answer };
    }
    case 'approval.expired': {
      const { callId: call, approvalId: approval } = body;
      const waited = clock.since(`${session} approval ${approval}`, time);
      return { level: 'info', what: 'approval expired', call, approval, ...waited };
    }
    default:
      return undefined;
  }
}

// A sub-agent's work belongs to the turn of the agent above it.
function levelFor(agent: string | undefined): Line['level'] {
  return agent === undefined ? 'info' : 'debug';
}
