// What a call means, as a text to compare: a gateway may spell what was approved in another way, with other defaults or order.
import { findDialect } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';

export function meaningOf(tool: string, args: Record<string, unknown>): string {
  try {
    return sorted(telling(findDialect('plugin').ask({ id: 'compare', tool, args }).args));
  } catch (error) {
    if (error instanceof ToolError) return sorted(telling(args));
    throw error;
  }
}

// No arguments and no folder of its own are what a call has that names none.
function telling(args: Record<string, unknown>): Record<string, unknown> {
  const says = ([name, value]: [string, unknown]): boolean =>
    !(Array.isArray(value) && value.length === 0) && !(name === 'cwd' && value === '.');
  return Object.fromEntries(Object.entries(args).filter(says));
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
