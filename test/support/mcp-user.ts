// A user of our MCP server with clients that others wrote: the first SDK, and the second one in both of its generations.
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

type Json = Record<string, unknown>;

export type Flavour = 'v1' | 'v2' | 'v2 of 2026';
export const flavours: readonly Flavour[] = ['v1', 'v2', 'v2 of 2026'];

type Question = { message: string; requestedSchema: { properties: Json } };
type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, string> };
/** The signal aborts when the server takes its question away. */
export type Answering = (question: Question, signal: AbortSignal) => Answer | Promise<Answer>;

type Result = {
  content: { type: string; text: string }[];
  structuredContent?: Json;
  isError?: boolean;
};

type Listed = {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Json;
  outputSchema?: Json;
  annotations?: Json;
};

export type McpUser = AsyncDisposable & {
  call(name: string, args?: Json, options?: CallOptions): Promise<Result>;
  tools(): Promise<Listed[]>;
  ping(): Promise<unknown>;
  resources(): Promise<{ uri: string; name: string }[]>;
  templates(): Promise<string[]>;
  /** The text of a resource. */
  read(uri: string): Promise<string>;
  prompts(): Promise<{ name: string; description?: string }[]>;
  /** The text of a prompt. */
  prompt(name: string, args?: Record<string, string>): Promise<string>;
  /** Paths that begin a template's variable. */
  complete(template: string, value: string): Promise<string[]>;
  /** Later changes appear in `changes`; returns a function that ends the subscription. */
  subscribe(uri: string): Promise<() => Promise<unknown>>;
  /** Addresses of resources that were changed, and `list` when there are other ones. */
  changes: string[];
  /** The server's notifications besides results. */
  notices: string[];
  version(): string | undefined;
};

type CallOptions = {
  signal?: AbortSignal;
  onprogress?: (progress: { message?: string | undefined }) => void;
};

export type Where =
  | { url: string; token: string }
  | { command: string; args: string[]; env: Record<string, string> };

type Options = { flavour?: Flavour; answer?: Answering; name?: string };

export function mcpUser(address: Where, options: Options = {}): Promise<McpUser> {
  return options.flavour === 'v1' ? oldUser(address, options) : newUser(address, options);
}

async function newUser(
  address: Where,
  { flavour = 'v2', answer, name = 'editor' }: Options,
): Promise<McpUser> {
  const notices: string[] = [];
  const client = new NewClient(
    { name, version: '2.1' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: flavour === 'v2 of 2026' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) =>
      answer(params as unknown as Question, mcpReq.signal),
    );
  client.setNotificationHandler(
    'notifications/message',
    ({ params }) => void notices.push(String(params.data)),
  );
  const changes: string[] = [];
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void changes.push(params.uri),
  );
  client.setNotificationHandler('notifications/resources/list_changed', () => void changes.push('list'));
  await client.connect(
    'url' in address
      ? new NewHttp(new URL(address.url), { requestInit: { headers: headersOf(address.token) } })
      : new NewStdio({ ...address, stderr: 'ignore' }),
  );
  return {
    notices,
    ...offerOf(client),
    changes,
    async subscribe(uri) {
      if (flavour === 'v2 of 2026') {
        const line = await client.listen({ resourceSubscriptions: [uri], resourcesListChanged: true });
        return () => line.close();
      }
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    version: () => client.getNegotiatedProtocolVersion(),
    call: async (tool, args = {}, options = {}) =>
      (await client.callTool({ name: tool, arguments: args }, options)) as Result,
    tools: async () => (await client.listTools()).tools as Listed[],
    ping: () => client.ping(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function oldUser(address: Where, { answer, name = 'editor' }: Options): Promise<McpUser> {
  const notices: string[] = [];
  const client = new OldClient(
    { name, version: '1.0' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  if (answer !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) =>
      answer(params as unknown as Question, signal),
    );
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params }) => void notices.push(String(params.data)),
  );
  const changes: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void changes.push(params.uri),
  );
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void changes.push('list'));
  const transport =
    'url' in address
      ? new OldHttp(new URL(address.url), { requestInit: { headers: headersOf(address.token) } })
      : new OldStdio({ ...address, stderr: 'ignore' });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    notices,
    ...offerOf(client),
    changes,
    async subscribe(uri) {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    version: () => undefined,
    call: async (tool, args = {}, options = {}) =>
      (await client.callTool({ name: tool, arguments: args }, undefined, options as never)) as Result,
    tools: async () => (await client.listTools()).tools as Listed[],
    ping: () => client.ping(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

type Offer = Pick<McpUser, 'resources' | 'templates' | 'read' | 'prompts' | 'prompt' | 'complete'>;

function offerOf(anyClient: OldClient | NewClient): Offer {
  // The two clients have these methods in common.
  const client = anyClient as NewClient;
  return {
    resources: async () => (await client.listResources()).resources,
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    async read(uri) {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && 'text' in content ? content.text : '';
    },
    prompts: async () => (await client.listPrompts()).prompts as { name: string; description?: string }[],
    async prompt(name, args = {}) {
      const [message] = (await client.getPrompt({ name, arguments: args })).messages;
      return message?.content.type === 'text' ? message.content.text : '';
    },
    async complete(uri, value) {
      const argument = { name: 'path', value };
      return (await client.complete({ ref: { type: 'ref/resource', uri }, argument })).completion.values;
    },
  };
}

function headersOf(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
