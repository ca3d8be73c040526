// Reads the token counts in an answer that passes as bytes, streamed or whole, without delaying or changing it.
import { StringDecoder } from 'node:string_decoder';

type Counts = { inputTokens: number; outputTokens: number };

export type UsageMeter = { push(bytes: Buffer): void; counts(): Counts | undefined };

/** The counts stand near the end, in a streamed answer as in a whole one. */
const tailChars = 64 * 1024;

export function usageMeter(): UsageMeter {
  const decoder = new StringDecoder('utf8');
  let tail = '';
  return {
    push(bytes) {
      tail = (tail + decoder.write(bytes)).slice(-tailChars);
    },
    counts: () => latestCounts(tail),
  };
}

function latestCounts(text: string): Counts | undefined {
  for (let at = text.lastIndexOf('"usage"'); at >= 0; at = text.lastIndexOf('"usage"', at - 1)) {
    const found = countsAt(text, at);
    if (found !== undefined || at === 0) return found;
  }
  return undefined;
}

function countsAt(text: string, at: number): Counts | undefined {
  const rest = text.slice(at, at + 2000);
  if (!/^"usage"\s*:\s*\{/.test(rest)) return undefined;
  const input = /"prompt_tokens"\s*:\s*(\d+)/.exec(rest)?.[1];
  const output = /"completion_tokens"\s*:\s*(\d+)/.exec(rest)?.[1];
  if (input === undefined) return undefined;
  return { inputTokens: Number(input), outputTokens: Number(output ?? 0) };
}
