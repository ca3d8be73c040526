// Protocols of other programs: Kode's service, models as OpenAI serves them, and MCP.
import * as z from 'zod/mini';
import { ErrorAnswer, KodeError, ModelError } from '../errors.ts';
import { defineRoute, type Route } from '../route.ts';
import { jsonObject, lazily } from '../shared.ts';

const path = () => z.nullish(z.string().check(z.maxLength(4096)));

const KodeRequest = () =>
  z.looseObject({
    message: z.string().check(z.minLength(1), z.maxLength(100_000)),
    mode: z._default(z.enum(['ask', 'edit']), 'edit'),
    outputsPath: path(),
    /** A session to continue; without it every request has its own. */
    agentId: z.nullish(z.string()),
    /** Whether a call that needs approval waits for a decision, or is refused immediately. */
    approvals: z._default(z.enum(['wait', 'never']), 'wait'),
    context: z.nullish(
      z.looseObject({
        userId: z.nullish(z.union([z.string(), z.number()])),
        workingDir: path(),
        notebookPath: path(),
        files: z.nullish(
          z.array(z.union([z.string(), z.looseObject({ path: z.string() })])).check(z.maxLength(20)),
        ),
      }),
    ),
  });
export type KodeRequest = z.infer<ReturnType<typeof KodeRequest>>;

export const kodeRoutes = {
  chat: defineRoute({
    id: 'runKodeChat',
    method: 'POST',
    path: '/api/chat/stream',
    summary: 'One request to the agent, as in Kode’s service mode',
    body: KodeRequest,
    media: ['text/event-stream'],
    errors: KodeError,
  }),
};

const textPart = () => z.looseObject({ type: z.string(), text: z.optional(z.string()) });

const wantedCall = () =>
  z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) });

const CompletionMessage = () =>
  z.looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content: z.optional(z.nullish(z.union([z.string(), z.array(textPart())]))),
    tool_calls: z.nullish(z.array(wantedCall())),
    tool_call_id: z.optional(z.string()),
  });
export type CompletionMessage = z.infer<ReturnType<typeof CompletionMessage>>;

const modelTool = () =>
  z.looseObject({
    type: z.literal('function'),
    function: z.looseObject({
      name: z.string(),
      description: z.optional(z.string()),
      parameters: z.optional(jsonObject()),
    }),
  });

/** A chat completion request as OpenAI's clients write it. Fields that only a provider understands are passed on. */
export const CompletionRequest = () =>
  z.looseObject({
    model: z.string().check(z.minLength(1)),
    messages: z.array(CompletionMessage()).check(z.minLength(1)),
    tools: z.nullish(z.array(modelTool())),
    stream: z.nullish(z.boolean()),
    stream_options: z.nullish(z.looseObject({ include_usage: z.optional(z.boolean()) })),
    max_tokens: z.nullish(z.int().check(z.positive())),
    max_completion_tokens: z.nullish(z.int().check(z.positive())),
  });
export type CompletionRequest = z.infer<ReturnType<typeof CompletionRequest>>;

/** The fields of a request that a proxy needs in order to pass it on. */
export const CompletionEnvelope = () =>
  z.looseObject({ model: z.string().check(z.minLength(1)), stream: z.nullish(z.boolean()) });
export type CompletionEnvelope = z.infer<ReturnType<typeof CompletionEnvelope>>;

export const modelRoutes = {
  complete: defineRoute({
    id: 'createChatCompletion',
    method: 'POST',
    path: '/v1/chat/completions',
    summary: 'An OpenAI-compatible chat completion, streamed or not; tools pass through unchanged',
    body: CompletionRequest,
    /** Unchanged from the provider. */
    answer: lazily(() => z.looseObject({ choices: z.optional(z.array(jsonObject())) })),
    media: ['text/event-stream'],
    errors: ModelError,
  }),
  list: defineRoute({
    id: 'listOpenAiModels',
    method: 'GET',
    path: '/v1/models',
    summary: 'The available models, in the OpenAI format',
    answer: lazily(() => {
      const model = z.strictObject({
        id: z.string(),
        object: z.literal('model'),
        created: z.number(),
        owned_by: z.string(),
      });
      return z.strictObject({ object: z.literal('list'), data: z.array(model) });
    }),
    errors: ModelError,
  }),
  describe: defineRoute({
    id: 'describeModels',
    method: 'GET',
    path: '/v1/llm/models',
    summary: 'The available models, in the CodeLab format',
    answer: lazily(() =>
      z.array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          provider: z.string(),
          context_length: z.number(),
          is_available: z.literal(true),
        }),
      ),
    ),
    errors: ModelError,
  }),
  usage: defineRoute({
    id: 'getKeyUsage',
    method: 'GET',
    path: '/v1/usage',
    summary: 'What this key has used since the gateway started',
    answer: lazily(() => {
      const used = z.strictObject({
        model: z.string(),
        requests: z.number(),
        prompt_tokens: z.number(),
        completion_tokens: z.number(),
        unmetered_requests: z.number(),
      });
      return z.strictObject({ data: z.array(used) });
    }),
    errors: ModelError,
  }),
};

const jsonRpc = () => z.looseObject({ jsonrpc: z.literal('2.0') });
const JsonRpc = lazily(() => z.union([jsonRpc(), z.array(jsonRpc())]));

/** Streamable HTTP of the Model Context Protocol. */
const mcp = {
  path: '/mcp',
  query: () => z.object({ profile: z.optional(z.string()), session: z.optional(z.string()) }),
  errors: lazily(() => z.union([ErrorAnswer(), JsonRpc()])),
} as const satisfies Partial<Route>;

export const mcpRoutes = {
  send: defineRoute({
    ...mcp,
    id: 'sendMcpMessage',
    method: 'POST',
    summary: 'Our tools over the Model Context Protocol (streamable HTTP)',
    body: JsonRpc,
    answer: JsonRpc,
    media: ['text/event-stream'],
  }),
  listen: defineRoute({
    ...mcp,
    id: 'listenToMcp',
    method: 'GET',
    summary: 'Messages that the MCP server sends on its own',
    media: ['text/event-stream'],
  }),
  end: defineRoute({
    ...mcp,
    id: 'endMcpSession',
    method: 'DELETE',
    summary: 'Ends a session of the Model Context Protocol',
    answer: lazily(() => z.unknown()),
  }),
};
