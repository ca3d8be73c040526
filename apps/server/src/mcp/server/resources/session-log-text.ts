// The log of a session for its MCP client: calls, verdicts, decisions and changes, a line of JSON for each entry. Contents of files,
// output of commands and arguments of calls are left out, because a person may have allowed one read of a secret and no other.
import { type Actor, type SessionEvent, visibleLine } from '@codelab/protocol';
import { logPages } from '../../../log/entries.ts';
import type { SharedSession } from '../../../sessions/gateway.ts';

type Fields = Record<string, unknown>;

const mostEntries = 1000;
const maxChars = 200_000;
const maxPaths = 50;

/** The latest entries, as many as fit. */
export async function sessionLogText(session: SharedSession): Promise<string> {
  const since = Math.max(0, (await session.head()) - mostEntries);
  const lines: string[] = [];
  for await (const page of logPages(session.host.log, session.id, since)) lines.push(...page.map(lineOf));
  let chars = 0;
  const first = lines.findLastIndex((line) => {
    chars += line.length;
    return chars > maxChars;
  });
  return lines.slice(first + 1).join('');
}

function lineOf({ seq, time, body }: SessionEvent): string {
  const at = new Date(time).toISOString();
  return `${JSON.stringify({ seq, time: at, type: body.type, ...fieldsOf(body) })}\n`;
}

function fieldsOf(body: SessionEvent['body']): Fields {
  switch (body.type) {
    case 'call.received':
      return { call: body.call.id, tool: body.call.tool, ...actorFields(body.call.by) };
    case 'turn.started':
    case 'turn.steered':
    case 'message.queued':
    case 'message.changed':
    case 'message.removed':
    case 'turn.ended':
      return actorFields(body.by);
    case 'call.planned': {
      const { plan, verdict } = body;
      return {
        call: body.callId,
        summary: visibleLine(plan.summary),
        touches: plan.touches.slice(0, maxPaths).map(({ access, path }) => `${access} ${visibleLine(path)}`),
        verdict: verdict.verdict,
        rule: verdict.rule,
        reason: visibleLine(verdict.reason),
      };
    }
    case 'approval.decided':
      return { call: body.callId, decision: body.decision.kind, ...actorFields(body.by) };
    case 'call.finished': {
      const { status, durationMs, effects } = body.outcome;
      const error = 'error' in body.outcome ? { error: body.outcome.error.code } : {};
      const changes = effects.slice(0, maxPaths).map(({ op, path }) => `${op} ${visibleLine(path)}`);
      return { call: body.callId, status, ...error, duration_ms: durationMs, changes };
    }
    case 'context.changed':
      return { op: body.op, ...(body.path !== undefined && { path: visibleLine(body.path) }) };
    default:
      return 'callId' in body ? { call: body.callId } : {};
  }
}

function actorFields(by: Actor | undefined): Fields {
  return by === undefined ? {} : { by: visibleLine(by.who), via: visibleLine(by.via) };
}
