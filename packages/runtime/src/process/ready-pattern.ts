// Finds out whether a text that tells readiness was printed: as plain text or as a regular expression. A hostile expression
// is cut off after a moment, for it runs where it can be interrupted.
import { type Context, createContext, runInContext } from 'node:vm';
import { ToolError } from '@codelab/protocol';

const windowChars = 4096;
const mostMs = 100;

/** Takes in what is printed, piece by piece; true from the moment it was seen. Throws when the expression takes too long. */
export function readyPattern(pattern: string): (text: string) => boolean {
  const context = compile(pattern);
  let carried = '';
  let isSeen = false;
  return (text) => {
    if (isSeen) return true;
    const printed = carried + text;
    isSeen = printed.includes(pattern) || (context !== undefined && test(context, printed));
    carried = printed.slice(-windowChars);
    return isSeen;
  };
}

/** Undefined when it is no regular expression: then it is only looked for as it stands. */
function compile(pattern: string): Context | undefined {
  const context = createContext({ pattern, printed: '' });
  try {
    runInContext('pattern = new RegExp(pattern, "m")', context, { timeout: mostMs });
    return context;
  } catch {
    return undefined;
  }
}

function test(context: Context, printed: string): boolean {
  context.printed = printed;
  try {
    return runInContext('pattern.test(printed)', context, { timeout: mostMs }) === true;
  } catch {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      '`ready_pattern` takes too long to match. Use a simpler expression or plain text.',
      { field: 'ready_pattern' },
    );
  }
}
