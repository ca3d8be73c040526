// One turn of an agent over a workbench, by a scripted model, with all its events.
import type { Conversation, Model, TurnResult } from '@codelab/agent';
import type { AgentSignal, EventBody, Outcome } from '@codelab/protocol';
import { openTurn } from '@codelab/server/agent';
import type { Workbench } from './workbench.ts';

type Played = {
  result: TurnResult;
  conversation: Conversation;
  signals: AgentSignal[];
  /** The results that the agent's own model read. */
  toolTexts: string[];
  bodies: EventBody[];
  /** The outcomes of a tool's calls, in order. */
  outcomes(tool: string): Outcome[];
};

type Options = { profile?: string; signal?: AbortSignal; onSignal?(signal: AgentSignal): void };

export async function playTurn(
  bench: Workbench,
  model: Model,
  { profile = 'build', signal = new AbortController().signal, onSignal }: Options = {},
): Promise<Played> {
  const signals: AgentSignal[] = [];
  const turn = await openTurn({
    host: bench.host,
    agents: bench.agents,
    session: 's1',
    profile,
    openModel: async () => model,
    emit(agentSignal) {
      signals.push(agentSignal);
      onSignal?.(agentSignal);
    },
  });
  const { talk } = turn;
  const result = await turn.start({ text: 'Do it.', by: { who: 'tester', via: 'test' } }, signal);
  const toolTexts = talk.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
  const bodies = (await bench.log.read('s1')).map(({ body }) => body);
  const all = bodies.flatMap((body) => (body.type === 'call.finished' ? [body.outcome] : []));
  const outcomes = (tool: string): Outcome[] => all.filter((outcome) => outcome.tool === tool);
  return { result, conversation: talk, signals, toolTexts, bodies, outcomes };
}
