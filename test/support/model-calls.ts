// Calls as a model makes them and reads their results: through the agent's own host, in its dialect and its words.
import type { Outcome } from '@codelab/protocol';
import { openTurn } from '@codelab/server/agent';
import type { Workbench } from './workbench.ts';

export type ModelCalls = {
  call(tool: string, args: Record<string, unknown>): Promise<{ outcome: Outcome; toolText: string }>;
};

export async function modelCalls({ host, agents }: Workbench, session = 's1'): Promise<ModelCalls> {
  const openModel = async () => ({ name: 'none', contextTokens: 128_000, stream: () => never() });
  const { agent } = await openTurn({ host, agents, session, openModel, emit: () => undefined });
  let calls = 0;
  return {
    async call(tool, args) {
      const call = { id: `model_${++calls}`, session, tool, args, dialect: 'agent' as const, turn: 1 };
      for await (const event of agent.host.execute(call, new AbortController().signal))
        if (event.type === 'outcome')
          return { outcome: event.outcome, toolText: agent.host.tell(event.outcome) };
      throw new Error('The call has no outcome.');
    },
  };
}

// biome-ignore lint/correctness/useYield: nothing is asked of it.
async function* never(): AsyncGenerator<never> {
  throw new Error('No model is asked here.');
}
