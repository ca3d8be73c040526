// Diagnostic tools of the conformance suite that hand the client questions, as requests of 2026-07-28 are asked.
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type { ExtraRequest } from '../../../apps/server/src/mcp/server/extra-offer.ts';
import { text } from './contents.ts';

type Run = (request: ExtraRequest) => Promise<CallToolResult | InputRequiredResult>;

const textResult = (content: string): CallToolResult => ({ content: [text(content)] });

export function form(message: string, name: string) {
  const properties = { [name]: { type: 'string' as const } };
  const requestedSchema = { type: 'object' as const, properties, required: [name] };
  return inputRequired.elicit({ message, requestedSchema });
}

function sample(question: string, maxTokens = 100) {
  const messages = [{ role: 'user' as const, content: text(question) }];
  return inputRequired.createMessage({ messages, maxTokens });
}

const confirm = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});

const answers = ({ ctx }: ExtraRequest): Record<string, unknown> => ctx.mcpReq.inputResponses ?? {};

/** Asks until every question has an answer. */
async function askAll(
  request: ExtraRequest,
  inputRequests: InputRequiredResult['inputRequests'],
  { state, done }: { state?: unknown; done: CallToolResult },
): Promise<CallToolResult | InputRequiredResult> {
  const missing = Object.keys(inputRequests ?? {}).some(
    (key) => inputResponse(answers(request), key).kind === 'missing',
  );
  if (!missing) return done;
  const requestState = state === undefined ? undefined : await request.mint(state);
  return inputRequired({
    ...(inputRequests && { inputRequests }),
    ...(requestState !== undefined && { requestState }),
  });
}

async function askState(request: ExtraRequest): Promise<CallToolResult | InputRequiredResult> {
  const inputRequests = { confirm };
  const isKnown = request.ctx.mcpReq.requestState() !== undefined;
  return await askAll(request, inputRequests, {
    state: { step: 1 },
    done: textResult(isKnown ? 'state-ok' : 'The state is missing.'),
  });
}

export const askingTools: Record<string, Run> = {
  test_input_required_result_elicitation: (request) => {
    const name = acceptedContent<{ name: string }>(answers(request), 'user_name')?.name;
    const inputRequests = { user_name: form('What is your name?', 'name') };
    if (typeof name !== 'string') return Promise.resolve(inputRequired({ inputRequests }));
    return Promise.resolve(textResult(`Hello, ${name}!`));
  },
  test_streaming_elicitation: (request) =>
    askAll(request, { user_name: form('What is your name?', 'name') }, { done: textResult('Done.') }),
  test_input_required_result_sampling: (request) =>
    askAll(
      request,
      { capital_question: sample('What is the capital of France?') },
      { done: textResult(`Answered: ${JSON.stringify(answers(request).capital_question)}`) },
    ),
  test_input_required_result_list_roots: (request) =>
    askAll(
      request,
      { client_roots: inputRequired.listRoots() },
      { done: textResult(`Roots: ${JSON.stringify(answers(request).client_roots)}`) },
    ),
  test_input_required_result_request_state: askState,
  test_input_required_result_tampered_state: askState,
  test_input_required_result_multiple_inputs: (request) =>
    askAll(
      request,
      {
        user_name: form('What is your name?', 'name'),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      { state: { step: 1 }, done: textResult('All three were answered.') },
    ),
  async test_input_required_result_multi_round(request) {
    const { step } = request.ctx.mcpReq.requestState<{ step: number }>() ?? { step: 0 };
    if (step === 0 || inputResponse(answers(request), `step${step}`).kind === 'missing') {
      const inputRequests = { step1: form('Step 1: What is your name?', 'name') };
      return inputRequired({ inputRequests, requestState: await request.mint({ step: 1 }) });
    }
    if (step === 2) return textResult('Both steps were answered.');
    const inputRequests = { step2: form('Step 2: What is your favorite color?', 'color') };
    return inputRequired({ inputRequests, requestState: await request.mint({ step: 2 }) });
  },
  test_missing_capability: (request) =>
    askAll(request, { sampled: sample('Anything') }, { done: textResult('Sampled.') }),
  test_input_required_result_capabilities(request) {
    const declared: Partial<Record<string, unknown>> = request.ctx.mcpReq.envelope ?? {};
    const can = declared[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
    const inputRequests = {
      ...(can?.sampling && { sampled: sample('Anything') }),
      ...(can?.elicitation && { asked: form('Anything?', 'answer') }),
    };
    return askAll(request, inputRequests, { done: textResult('Done.') });
  },
};
