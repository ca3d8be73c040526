// A model with scripted replies, which records its requests.
import type { Model, ModelRequest } from '@codelab/agent';
import type { Reply, WantedCall } from '@codelab/protocol';

type Said = {
  text?: string;
  calls?: [tool: string, args: Record<string, unknown>, id?: string][];
  delayMs?: number;
};
type Script = readonly Said[] | ((request: ModelRequest, step: number) => Said);

export type ScriptedModel = Model & { requests: ModelRequest[] };

export function scriptedModel(script: Script, options: { contextTokens?: number } = {}): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name: 'scripted',
    contextTokens: options.contextTokens ?? 100_000,
    requests,
    async *stream(request, signal) {
      const step = requests.length;
      requests.push({ ...request, messages: [...request.messages] });
      const scripted =
        typeof script === 'function' ? script(request, step) : (script[step] ?? { text: 'done' });
      signal.throwIfAborted();
      const text = scripted.text ?? '';
      if (text !== '') yield { type: 'text', delta: text };
      yield { type: 'reply', reply: replyOf(text, scripted.calls ?? [], step) };
    },
  };
}

function replyOf(text: string, wantedCalls: NonNullable<Said['calls']>, step: number): Reply {
  const calls = wantedCalls.map(
    ([tool, args, id], i): WantedCall => ({ id: id ?? `call_${step}_${i}`, tool, args }),
  );
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { model: 'scripted', text, calls, usage, stop: calls.length > 0 ? 'calls' : 'end' };
}
