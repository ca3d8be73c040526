// Entries of the log that are no call's beginning, question or end, as messages of the socket.
import type { Json } from '@codelab/dialects';
import type { EventBody } from '@codelab/protocol';

export type Other = Exclude<
  EventBody,
  { type: 'call.received' | 'call.planned' | 'approval.requested' | 'call.finished' }
>;

export function writeOther(body: Other): Json[] {
  return writeSaid(body) ?? writeState(body);
}

/** What is said between people and the agent; undefined for what is not. Sub-agents speak to their agent, not to people. */
function writeSaid(body: Other): Json[] | undefined {
  switch (body.type) {
    case 'turn.started':
      return body.agent === undefined ? [{ type: 'user_message', role: 'user', content: body.text }] : [];
    case 'model.replied':
      return body.agent === undefined && body.reply.text !== ''
        ? [{ type: 'assistant_message', content: body.reply.text, is_final: true }]
        : [];
    case 'turn.ended': {
      if (body.agent !== undefined) return [];
      const failed = { error_code: 'AGENT_ERROR', message: body.message, content: body.message };
      const done = { type: 'done', status: body.end, turn: body.turn };
      return body.end === 'failed' ? [{ type: 'error', ...failed }, done] : [done];
    }
    default:
      return undefined;
  }
}

function writeState(body: Other): Json[] {
  switch (body.type) {
    case 'approval.decided': {
      const { callId: call_id, approvalId: approval_id, decision, by } = body;
      const metadata = { call_id, approval_id, state: 'decided', decision: decision.kind, by: by.who };
      return [{ type: 'status', content: `${by.who}: ${decision.kind}`, metadata }];
    }
    case 'approval.warned': {
      const { callId: call_id, approvalId: approval_id, secondsLeft: seconds_left } = body;
      const metadata = { call_id, approval_id, state: 'awaiting_approval', seconds_left };
      return [{ type: 'status', content: `${seconds_left} seconds left to decide.`, metadata }];
    }
    case 'approval.expired': {
      const { callId: call_id, approvalId: approval_id } = body;
      return [
        {
          type: 'status',
          content: 'Nobody decided in time.',
          metadata: { call_id, approval_id, state: 'expired' },
        },
      ];
    }
    case 'call.started':
      return [{ type: 'status', content: 'Running.', metadata: { call_id: body.callId, state: 'running' } }];
    case 'context.changed':
      return [
        {
          type: 'context_update',
          action: body.op,
          ...(body.path !== undefined && { data: { path: body.path } }),
        },
      ];
    case 'session.titled':
      return [{ type: 'status', content: body.title, metadata: { title: body.title } }];
    default:
      return [];
  }
}
