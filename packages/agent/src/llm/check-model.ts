// Asks a model one real question and reports whether it is reachable, accepts the key, streams, and calls a tool.
import { ToolError } from '@codelab/protocol';
import type { Model, ModelRequest } from '../model.ts';
import type { ModelSources } from './connection.ts';
import { openModel } from './open-model.ts';

export type ModelCheck = {
  model: string;
  isReached: boolean;
  /** Undefined when the server was not reached. */
  isKeyAccepted: boolean | undefined;
  /** The model answered the question. */
  isAnswered: boolean;
  /** The text arrived in more than one piece. Undefined when there was too little text to decide. */
  isStreamed: boolean | undefined;
  isToolCalled: boolean;
  firstMs: number | undefined;
  totalMs: number;
  inputTokens: number;
  outputTokens: number;
  contextTokens: number | undefined;
  /** The problem, with the next step. */
  problem: string | undefined;
};

const tool = {
  name: 'report_word',
  summary: 'Reports a word to the person who asked.',
  input: {
    type: 'object',
    properties: { word: { type: 'string', description: 'The word to report.' } },
    required: ['word'],
    additionalProperties: false,
  },
};

const question: ModelRequest = {
  system: 'You work with tools. Do what is asked with the tool that fits.',
  messages: [
    {
      role: 'user',
      text: 'Say in one sentence that you will report the word "ready", and in the same reply report it with the tool report_word.',
    },
  ],
  tools: [tool],
  maxTokens: 2000,
};

/** One request, or two for a model that accepts no tools. Never throws for a failure of the provider. */
export async function checkModel(
  name: string,
  sources: ModelSources,
  signal: AbortSignal,
): Promise<ModelCheck> {
  const started = performance.now();
  const check: ModelCheck = {
    model: name,
    isReached: false,
    isKeyAccepted: undefined,
    isAnswered: false,
    isStreamed: undefined,
    isToolCalled: false,
    firstMs: undefined,
    totalMs: 0,
    inputTokens: 0,
    outputTokens: 0,
    contextTokens: undefined,
    problem: undefined,
  };
  try {
    const patience = { attempts: 1, connectMs: 10_000, firstByteMs: 60_000 };
    const model = await openModel(name, { ...sources, patience });
    check.contextTokens = model.contextTokens;
    await askOnce(model, question, check, signal);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === 'CANCELLED') throw error;
    await explain(error, check, sources, signal);
  }
  check.totalMs = Math.round(performance.now() - started);
  return check;
}

async function askOnce(
  model: Model,
  request: ModelRequest,
  check: ModelCheck,
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  let pieces = 0;
  const enoughChars = 24;
  for await (const event of model.stream(request, signal)) {
    check.firstMs ??= Math.round(performance.now() - started);
    if (event.type === 'text') pieces++;
    if (event.type !== 'reply') continue;
    const { calls, text, usage } = event.reply;
    Object.assign(check, { isReached: true, isKeyAccepted: true });
    if (pieces > 1 || text.length >= enoughChars) check.isStreamed = pieces > 1;
    check.isToolCalled = calls.some((call) => call.tool === tool.name && call.problem === undefined);
    check.isAnswered = check.isToolCalled || text.trim() !== '';
    check.inputTokens = usage.inputTokens;
    check.outputTokens = usage.outputTokens;
  }
  if (!check.isAnswered)
    check.problem = `${model.name} answered with nothing. Try it again, or choose another model.`;
  else if (!check.isToolCalled)
    check.problem = `${model.name} answered, but did not call the tool. It can talk, but hardly work on files; choose another model for that.`;
}

async function explain(
  error: ToolError,
  check: ModelCheck,
  sources: ModelSources,
  signal: AbortSignal,
): Promise<void> {
  const { status, reason } = (error.details ?? {}) as { status?: number; reason?: string };
  check.problem = error.message;
  check.isReached = status !== undefined;
  if (status !== undefined) check.isKeyAccepted = status !== 401 && status !== 403;
  else if (reason === 'no_key') check.isKeyAccepted = false;
  if (status === 400 && /tool|function/i.test(error.message)) {
    const model = await openModel(check.model, { ...sources, patience: { attempts: 1 } });
    await askOnce(model, { ...question, tools: [] }, check, signal).catch(() => undefined);
    check.problem = `${error.message} An agent needs tools: choose another model.`;
  }
}
