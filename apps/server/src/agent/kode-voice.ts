// A turn in seed 001's words: start, text, tool_use → backend_only → tool_result, then done or error. One object per message.

import type { TurnResult } from '@codelab/agent';
import { findDialect, type Json } from '@codelab/dialects';
import type { AgentSignal } from '@codelab/protocol';

export type KodeVoice = {
  start(): Json;
  hear(signal: AgentSignal): Json[];
  end(result: Pick<TurnResult, 'end' | 'message'>): Json;
};

export function kodeVoice({ model, root }: { model: string; root: string }): KodeVoice {
  const kode = findDialect('kode', { root });
  const timestamp = (): string => new Date().toISOString();
  return {
    start: () => ({ type: 'start', model, timestamp: timestamp() }),
    hear(signal) {
      if (signal.type === 'reply' && signal.reply.text !== '')
        return [{ type: 'text', content: signal.reply.text }];
      if (signal.type === 'call') {
        const { id, tool, args } = signal.call;
        return [{ type: 'tool_use', tool, input: args, id }];
      }
      if (signal.type !== 'outcome') return [];
      const { call, outcome, text } = signal;
      const asked = { id: call.id, wire: { tool: call.tool, args: call.args } };
      const message = kode.encode({ type: 'result', asked, outcome });
      const is_error = outcome.status !== 'completed';
      const result = { type: 'tool_result', tool_use_id: call.id, result: text, is_error };
      // A call that never came to its tool has a result and nothing else.
      return message.type === 'backend_only' ? [{ ...message, timestamp: timestamp() }, result] : [result];
    },
    end: ({ end, message }) =>
      end === 'completed'
        ? { type: 'done', metadata: { model, timestamp: timestamp() } }
        : { type: 'error', error: 'INTERNAL_ERROR', message: message ?? end },
  };
}
