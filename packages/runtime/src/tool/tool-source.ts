// Tools that others offer, such as MCP servers: asked for only when a call names one or somebody lists what there is.
import type { Kind } from '@codelab/protocol';
import type { Tool } from './define-tool.ts';

export type ToolSource = AsyncDisposable & {
  /** Of all of them: nobody here knows what they do. */
  kind: Kind;
  find(name: string, signal: AbortSignal): Promise<Tool | undefined>;
  /** The same list again while nothing has changed. */
  list(signal: AbortSignal): Promise<readonly Tool[]>;
  /** Why some are missing from the list, for people. */
  problems(): readonly string[];
  tell(output: Record<string, unknown>): string;
};
