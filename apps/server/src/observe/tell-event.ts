// What an entry of the session log is worth in the log lines: who, what, which, how long and how it ended; never what was said or written.
import type { SessionEvent } from '@codelab/protocol';
import type { LogLines } from './open-log-lines.ts';
import type { Witnessed } from './watch-log.ts';

export type EventTeller = { witness(witnessed: Witnessed): void; forget(session: string): void };

/** Beginnings that wait for their ends, to tell how long it took. */
const maxOpen = 20_000;

export function createEventTeller(lines: LogLines): EventTeller {
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
      const said = { model, stop, calls: calls.length, ...usage };
      return { level: 'debug', what: 'model replied', turn, agent, ...said };
    }
    case 'rule.remembered': {
      const { id: rule, effect } = body.rule;
      return { level: 'info', what: 'rule remembered', rule, effect, ...body.by };
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

// What a sub-agent does belongs to the turn of the one above it.
function levelFor(agent: string | undefined): Line['level'] {
  return agent === undefined ? 'info' : 'debug';
}
