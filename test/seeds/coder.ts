// A function call of the Go coder, through the command that speaks its dialect.
import type { At, Json } from './seed-case.ts';

let calls = 0;

/** One function call, in a session of its own unless one is named. */
export async function call(
  { stage }: At,
  name: string,
  args: Json = {},
  more: readonly string[] = [],
): Promise<Json> {
  const message = JSON.stringify({ type: 'call', id: `c${++calls}`, name, args });
  const words = ['tool', name, message, '--dialect', 'coder', '--approve', 'all', ...more];
  return (await stage.codelab(words)).message;
}

/** Replaces the first line of a.txt. */
export const patch = (line: string): string => `--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-${line}\n+new\n`;
