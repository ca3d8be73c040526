// Matches lines on a worker thread: a JavaScript regular expression can take years on a few letters, and a thread can be ended.
import { Worker } from 'node:worker_threads';
import { ToolError } from '@codelab/protocol';

/** A matching line by its number from 1, and its first match in UTF-16 units. */
export type LineMatch = { line: number; start: number; end: number };

type PatternWorker = AsyncDisposable & {
  /** One text at a time. */
  match(text: string, maxLines: number): Promise<LineMatch[]>;
};

const defaultMs = 1000;

export function startPatternWorker(pattern: RegExp, signal: AbortSignal, maxMs = defaultMs): PatternWorker {
  const { source, flags } = pattern;
  // The worker's code is passed as text, because a bundle has no second file to start a worker from.
  const worker = new Worker(`(${serve.toString()})(process.getBuiltinModule('node:worker_threads'))`, {
    eval: true,
    workerData: { source, flags },
  });
  return {
    async match(text, maxLines) {
      const { promise, resolve, reject } = Promise.withResolvers<LineMatch[]>();
      const tooSlow = setTimeout(() => reject(takesTooLong(maxMs)), maxMs);
      const cancel = (): void => reject(signal.reason);
      signal.addEventListener('abort', cancel, { once: true });
      worker.once('message', resolve).once('error', reject);
      worker.postMessage({ text, maxLines });
      try {
        return await promise;
      } finally {
        clearTimeout(tooSlow);
        signal.removeEventListener('abort', cancel);
        worker.off('message', resolve).off('error', reject);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await worker.terminate();
    },
  };
}

function takesTooLong(maxMs: number): Error {
  return invalidPattern(`it takes more than ${maxMs} ms on a single file; simplify it, or install ripgrep`);
}

// Complete in itself: nothing outside this function exists where it runs.
function serve({ parentPort, workerData }: typeof import('node:worker_threads')): void {
  const pattern = new RegExp(workerData.source, workerData.flags);
  parentPort?.on('message', ({ text, maxLines }: { text: string; maxLines: number }) => {
    const matches: LineMatch[] = [];
    for (let at = 0, line = 1; at < text.length && matches.length < maxLines; line++) {
      const next = text.indexOf('\n', at);
      const end = next < 0 ? text.length : next;
      const content = text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end);
      const match = pattern.exec(content);
      if (match !== null) matches.push({ line, start: match.index, end: match.index + match[0].length });
      at = end + 1;
    }
    parentPort.postMessage(matches);
  });
}

/** Turns ripgrep's message about a rejected pattern into one line, without the options that it suggests. */
export function patternError(message: string, signal?: string | null): ToolError {
  const text = message.trim().split(/\n\s*\n/)[0] ?? '';
  if (text === '') return new ToolError('EXECUTION_FAILED', `ripgrep was ended by ${signal ?? 'an error'}.`);
  const reason = /^error: (.+)/m.exec(text)?.[1] ?? text.replace(/^rg: /, '').split('\n')[0] ?? text;
  return invalidPattern(reason);
}

export function invalidPattern(reason: string): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    `The pattern cannot be searched for: ${reason.slice(0, 500)}. Put a \\ before characters such as ( and [ to find them as they are.`,
    {
      field: 'query',
    },
  );
}
