// The demo model: scripted, no AI, no network. Its reply depends only on the conversation.
import { type Reply, ToolError } from '@codelab/protocol';
import type { Model, ModelEvent, ModelRequest } from '../model.ts';
import { answerRequest, parseRequest } from './demo-requests.ts';
import { type DemoStep, readDemoTurn } from './demo-turn.ts';
import { playTour } from './tour.ts';

const introduction =
  'I am the demo model: a script, no AI, and I use no network. The tools, the approvals and the undo are real.\n\n';

export const demoModel: Model = {
  name: 'demo',
  contextTokens: 128_000,
  async *stream(request, signal): AsyncGenerator<ModelEvent> {
    const { text, calls } = nextReply(request);
    for (const delta of text.match(/\S+\s*|\s+/g) ?? []) {
      if (signal.aborted) throw new ToolError('CANCELLED', 'The demo was cancelled.');
      yield { type: 'text', delta };
    }
    const callsWithIds = calls.map((call, i) => ({ id: `demo_${countCalls(request) + i + 1}`, ...call }));
    for (const { id, tool } of callsWithIds) yield { type: 'call', id, tool };
    const usage = { inputTokens: 0, outputTokens: 0, cost: 0 };
    const reply: Reply = {
      model: 'demo',
      text,
      calls: callsWithIds,
      usage,
      stop: callsWithIds.length > 0 ? 'calls' : 'end',
    };
    yield { type: 'reply', reply };
  },
};

function nextReply(request: ModelRequest): DemoStep {
  const turn = readDemoTurn(request.messages);
  const tools = new Set(request.tools.map(({ name }) => name));
  const parsedRequest = parseRequest(turn.text);
  const step =
    parsedRequest.kind === 'tour' ? playTour(turn, tools) : answerRequest(parsedRequest, turn, tools);
  const isFirst = !request.messages.some(({ role }) => role === 'assistant');
  return isFirst ? { ...step, text: introduction + step.text } : step;
}

function countCalls({ messages }: ModelRequest): number {
  return messages.reduce(
    (sum, message) => sum + (message.role === 'assistant' ? message.reply.calls.length : 0),
    0,
  );
}
