// Replaces the list of things to do; answers with how many of them stand where.
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';

const item = () =>
  z.strictObject({ content: z.string(), status: z.string(), priority: z.string(), id: z.string() });

export function todoWrite(): WireTool {
  return {
    name: 'TodoWrite',
    tool: 'todowrite',
    input: () => z.strictObject({ todos: z.array(item()) }),
    toCore: (args) => args,
    toWire: summary,
  };
}

function summary({ items }: Json): string {
  const all = items as { status: string }[];
  const names = { pending: 'pending', in_progress: 'in progress', completed: 'completed' };
  const counts = Object.entries(names).map(
    ([status, name]) => `${all.filter((one) => one.status === status).length} ${name}`,
  );
  return `Updated ${all.length} todo(s) (${counts.join(', ')}).`;
}
