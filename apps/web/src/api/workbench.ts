// What the screen asks about besides sessions: roles, models, tools, files by name.
import type { Kind } from '@codelab/protocol';
import { request } from './request.ts';

export type AgentLine = { type: string; name: string; description: string };
export type ModelLine = { name: string; label: string };
export type ToolLine = {
  name: string;
  kind: Kind;
  summary: string;
  input: Record<string, unknown>;
  /** A human can take some hunks of what it would change. */
  takes_hunks?: true;
};

export const workbenchApi = {
  agents: () => request<{ agents: AgentLine[]; default: string }>('GET', '/agents'),
  models: () => request<{ models: ModelLine[]; current: string }>('GET', '/models'),
  tools: () => request<{ tools: ToolLine[] }>('GET', '/tools'),
  findFiles: (query: string, signal?: AbortSignal) =>
    request<{ files: string[] }>('GET', '/files/find', {
      query: { query, limit: 20 },
      ...(signal && { signal }),
    }),
};
