// What a tool needs of its server.
import type { McpServer } from '../../config/config.ts';
import type { Progressing } from './connection.ts';
import type { Definition } from './read-offer.ts';
import type { CallResult } from './read-result.ts';

export type Served = {
  name: string;
  server: McpServer;
  /** What the server says of a tool now. */
  look(tool: string, signal: AbortSignal): Promise<Definition | undefined>;
  call(order: CallOrder): Promise<CallResult>;
};

type CallOrder = {
  tool: string;
  args: Record<string, unknown>;
  signal: AbortSignal;
  onProgress: (said: Progressing) => void;
};
