// A turn in the messages of seed 001: start, text, tool_use → backend_only → tool_result, then done or error. One object per message.
import type { AgentSignal, ApprovalRequest, TurnEnd } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { findDialect } from '../dialects.ts';
import { riskInSeeds, secondsToDecide } from '../shared/write-message.ts';

export type KodeEncoder = {
  /** `session` only where a client can continue it. */
  start(session?: { id: string; isNew: boolean }): Json;
  encode(signal: AgentSignal): Json[];
  /**
   * The approval can be decided over any wire; `links` say where. A client that does not know the message keeps waiting, as for any slow
   * call.
   */
  question(approval: ApprovalRequest, links: { approve: string; reject: string }): Json;
  heartbeat(count: number): Json;
  end(result: { end: TurnEnd; message?: string | undefined }): Json;
};

const timestamp = (): string => new Date().toISOString();

export function createKodeEncoder({ model, root }: { model: string; root: string }): KodeEncoder {
  const kode = findDialect('kode', { root });

  function outcomeMessages({ call, outcome, text }: Extract<AgentSignal, { type: 'outcome' }>): Json[] {
    const wireCall = { id: call.id, wire: { tool: call.tool, args: call.args } };
    const message = kode.encode({ type: 'result', asked: wireCall, outcome });
    const is_error = outcome.status !== 'completed';
    const result = { type: 'tool_result', tool_use_id: call.id, result: text, is_error };
    // A call that never reached its tool has a result and nothing else.
    return message.type === 'backend_only' ? [{ ...message, timestamp: timestamp() }, result] : [result];
  }

  return {
    start: (session) => ({
      type: 'start',
      model,
      timestamp: timestamp(),
      ...(session && { agentId: session.id, isNewSession: session.isNew }),
    }),
    encode(signal) {
      switch (signal.type) {
        case 'reply':
          return signal.reply.text === '' ? [] : [{ type: 'text', content: signal.reply.text }];
        case 'call': {
          const { id, tool, args } = signal.call;
          return [{ type: 'tool_use', tool, input: args, id }];
        }
        case 'outcome':
          return outcomeMessages(signal);
        default:
          return [];
      }
    },
    question(approval, links) {
      const { callId: id, tool, args } = approval;
      const seconds = secondsToDecide(approval);
      return {
        ...kode.encode({ type: 'approval', asked: kode.spell({ id, tool, args }), approval }),
        approval_id: approval.id,
        session_id: approval.session,
        risk_level: riskInSeeds(approval),
        ...(seconds !== undefined && { timeout_seconds: seconds }),
        ...links,
      };
    },
    heartbeat: (count) => ({ type: 'heartbeat', message: 'processing', count }),
    end: ({ end, message }) =>
      end === 'completed'
        ? { type: 'done', metadata: { model, timestamp: timestamp() } }
        : { type: 'error', error: 'INTERNAL_ERROR', message: message ?? end },
  };
}
