// The tools of a dialect for the catalogue: the wire's names and input schemas, the core's kind, summary and output.
import type { Dialect } from '@codelab/dialects';
import type { Kind, Risk } from '@codelab/protocol';
import { catalogue, type Profile, showsTool } from '@codelab/runtime';
import * as z from 'zod/mini';

export type ListedTool = {
  name: string;
  kind: Kind;
  summary: string;
  risk: Risk;
  input: Record<string, unknown>;
  output: Record<string, unknown>;
};

// The usual risk of this kind of call; the plan of each call decides.
const usualRisk: Record<Kind, Risk> = {
  read: 'low',
  search: 'low',
  ask: 'low',
  think: 'low',
  edit: 'high',
  move: 'high',
  delete: 'high',
  execute: 'high',
};

export function listTools(dialect: Dialect, roles: readonly Profile[]): ListedTool[] {
  const toolsByName = new Map(catalogue.map((tool) => [tool.name, tool]));
  return dialect.tools.flatMap((row): ListedTool[] => {
    const tool = toolsByName.get(row.tool);
    if (tool === undefined || !showsTool(roles, tool)) return [];
    return [
      {
        name: row.name,
        kind: tool.kind,
        summary: tool.summary,
        risk: usualRisk[tool.kind],
        input: z.toJSONSchema(row.input(), { io: 'input' }),
        output: z.toJSONSchema(tool.output()),
      },
    ];
  });
}
