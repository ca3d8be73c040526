// Finds out whether a text that tells readiness was printed: as plain text or, line by line, as a regular expression. Expressions are
// matched on a thread of their own: a hostile one keeps nobody waiting, and is given up after a while.
import { ToolError } from '@codelab/protocol';
import { startPatternWorker } from '../platform/pattern-worker.ts';

const windowChars = 4096;
const maxWaiting = 256 * 1024;
const maxMs = 3000;

export type ReadyPattern = AsyncDisposable & {
  /** Takes in what is printed, piece by piece. */
  take(text: string): void;
  /** Resolves when it was seen; rejects when the expression takes too long. */
  seen: Promise<void>;
};

export function readyPattern(pattern: string, signal: AbortSignal): ReadyPattern {
  const { promise: seen, resolve, reject } = Promise.withResolvers<void>();
  // Nobody may be waiting any more.
  seen.catch(() => undefined);
  const expression = compile(pattern);
  const worker = expression && startPatternWorker(expression, signal, maxMs);
  let carried = '';
  let lastLine = '';
  let waiting = '';
  let isMatching = false;

  async function match(): Promise<void> {
    if (worker === undefined || isMatching) return;
    isMatching = true;
    try {
      while (waiting !== '') {
        const text = lastLine + waiting;
        waiting = '';
        // A line may be printed in pieces.
        lastLine = text.slice(text.lastIndexOf('\n') + 1).slice(-windowChars);
        if ((await worker.match(text, 1)).length > 0) resolve();
      }
    } catch {
      reject(tooSlow());
    } finally {
      isMatching = false;
    }
  }

  return {
    seen,
    take(text) {
      const printed = carried + text;
      if (printed.includes(pattern)) return resolve();
      carried = printed.slice(-windowChars);
      waiting = (waiting + text).slice(-maxWaiting);
      void match();
    },
    [Symbol.asyncDispose]: async () => await worker?.[Symbol.asyncDispose](),
  };
}

/** Undefined when it is plain text or no regular expression: then it is only looked for as it stands. */
function compile(pattern: string): RegExp | undefined {
  if (/^[\w\s:/,;=@#%&!~<>'"-]*$/.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'm');
  } catch {
    return undefined;
  }
}

function tooSlow(): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    '`ready_pattern` takes too long to match. Use a simpler expression or plain text.',
    { field: 'ready_pattern' },
  );
}
