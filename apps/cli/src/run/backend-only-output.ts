// Seed 001's stream as JSON lines: start, text, tool_use → backend_only → tool_result, done or error.
import { findDialect } from '@codelab/dialects';
import type { Outcome } from '@codelab/protocol';
import { writeText } from '../output/write-text.ts';
import type { RunOutput } from './run-output.ts';

export function backendOnlyOutput(model: string, root: string): RunOutput {
  const kode = findDialect('kode', { root });
  const timestamp = (): string => new Date().toISOString();
  const print = (line: object): void => writeText(1, `${JSON.stringify(line)}\n`);
  print({ type: 'start', model, timestamp: timestamp() });
  return {
    show(signal) {
      if (signal.type === 'reply' && signal.reply.text !== '')
        print({ type: 'text', content: signal.reply.text });
      if (signal.type === 'call') {
        const { id, tool, args } = signal.call;
        print({ type: 'tool_use', tool, input: args, id });
      }
      if (signal.type !== 'outcome') return;
      const { call, outcome, text } = signal;
      const asked = { id: call.id, wire: { tool: call.tool, args: call.args } };
      const message = kode.encode({ type: 'result', asked, outcome });
      if (message.type === 'backend_only') print({ ...message, timestamp: timestamp() });
      print({ type: 'tool_result', tool_use_id: call.id, result: text, is_error: isError(outcome) });
    },
    end({ end, message }) {
      if (end === 'completed') print({ type: 'done', metadata: { model, timestamp: timestamp() } });
      else print({ type: 'error', error: 'INTERNAL_ERROR', message: message ?? end });
    },
  };
}

function isError({ status }: Outcome): boolean {
  return status !== 'completed';
}
