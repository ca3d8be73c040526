// What a call is, as a text to compare: with all that the tool itself fills in, since a gateway tells it with or without.
import '../shared.ts';
import { digestJson, type Host } from '@codelab/runtime';

type Call = { tool: string; args: Record<string, unknown> };

export function meaningOf(host: Host, { tool, args }: Call): string {
  return digestJson([tool, filledIn(host, { tool, args })]);
}

/** Arguments that do not fit stay as they are: the call itself will say so. */
export function filledIn(host: Host, { tool, args }: Call): Record<string, unknown> {
  const parsed = host.tools.get(tool)?.input().safeParse(args);
  return parsed?.success ? (parsed.data as Record<string, unknown>) : args;
}
