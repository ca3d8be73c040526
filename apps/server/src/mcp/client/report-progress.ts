// Passes on how far a server says it is: now and then, and in few words.
import type { Progressing } from './connection.ts';
import type { McpOutput } from './read-result.ts';

const everyMs = 100;
const mostChars = 500;

export function reportProgress(report: (progress: McpOutput) => void): (said: Progressing) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message = '' }) => {
    const now = performance.now();
    if (now - last < everyMs) return;
    last = now;
    const far = total === undefined ? `${progress}` : `${progress} of ${total}`;
    const text = message === '' ? far : `${far}: ${message.slice(0, mostChars).toWellFormed()}`;
    report({ text, truncated: false });
  };
}
