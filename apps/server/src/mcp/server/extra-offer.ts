// Further tools, resources and prompts of a server. Only the conformance tests set them: the official suite calls diagnostic tools by name,
// which no user should see. No option of the program sets them.
import type {
  CallToolResult,
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Server,
  ServerContext,
  ServerEvent,
  Tool,
} from '@modelcontextprotocol/server';

export type ExtraRequest = {
  name: string;
  args: Record<string, unknown>;
  ctx: ServerContext;
  server: Server;
  /** Signs a state that the client sends back. */
  mint(state: unknown): Promise<string>;
  /** Notifies every open subscription. */
  publish(event: ServerEvent): void;
};

export type ExtraOffer = {
  tools: readonly Tool[];
  callTool(request: ExtraRequest): Promise<CallToolResult | InputRequiredResult>;
  resources: readonly Resource[];
  templates: readonly ResourceTemplateType[];
  /** Undefined when the URI is not one of these. */
  readResource(uri: string): ReadResourceResult | undefined;
  prompts: readonly Prompt[];
  getPrompt(request: ExtraRequest): Promise<GetPromptResult | InputRequiredResult>;
  complete(argument: { name: string; value: string }): CompleteResult;
};
