// A model with given answers, and a turn with it.
import { type Model, type ModelRequest, runTurn, type TurnResult } from '@codelab/agent';
import type { Reply } from '@codelab/protocol';
import { openTurn } from '@codelab/server/agent';
import type { Workbench } from './workbench.ts';

type Said = Partial<Pick<Reply, 'text' | 'stop' | 'calls'>>;
export type Told = Model & { requests: ModelRequest[] };

export const usage = { inputTokens: 0, outputTokens: 0 };

export function model(answer: (step: number, request: ModelRequest) => Said, contextTokens = 100_000): Told {
  const requests: ModelRequest[] = [];
  return {
    name: 'told',
    contextTokens,
    requests,
    async *stream(request) {
      requests.push({ ...request, messages: [...request.messages] });
      const { text = '', stop = 'end', calls = [] } = answer(requests.length - 1, request);
      if (text !== '') yield { type: 'text', delta: text };
      yield { type: 'reply', reply: { model: 'told', text, calls, usage, stop } };
    },
  };
}

export async function play(
  bench: Workbench,
  model: Model,
  text: string,
  signal = new AbortController().signal,
) {
  const { agent, talk } = await openTurn({
    host: bench.host,
    agents: bench.agents,
    session: 's1',
    openModel: async () => model,
    emit: () => undefined,
  });
  const result: TurnResult = await runTurn(agent, talk, { text }, signal);
  return { result, talk };
}
