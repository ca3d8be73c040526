// Tells whoever watches what a running command has printed since the last time: now and then, and never much at once.

import { cleanOutput, keepEnds, type Stream, wholeText } from '../process/capture-output.ts';

export type Reporter = Disposable & { onBytes(stream: Stream, bytes: Buffer): void };

const everyMs = 100;
const mostBytes = 16 * 1024;

/** What was printed since the last one, and how much there was so far. */
type Report = {
  stdout: string;
  stderr: string;
  truncated: boolean;
  duration_ms: number;
  stdout_bytes: number;
  stderr_bytes: number;
};

export function reportOutput(report: (said: Report) => void): Reporter {
  const sides = { stdout: side(), stderr: side() };
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    const stdout = sides.stdout.next();
    const stderr = sides.stderr.next();
    if (stdout.text === '' && stderr.text === '') return;
    report({
      stdout: stdout.text,
      stderr: stderr.text,
      truncated: stdout.isCut || stderr.isCut,
      duration_ms: Math.round(performance.now() - startedAt),
      stdout_bytes: sides.stdout.total,
      stderr_bytes: sides.stderr.total,
    });
  };
  return {
    onBytes(stream, bytes) {
      sides[stream].push(bytes);
      timer ??= setTimeout(tell, everyMs);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

type Side = { readonly total: number; push(bytes: Buffer): void; next(): { text: string; isCut: boolean } };

function side(): Side {
  let total = 0;
  let kept = keepEnds(mostBytes);
  const decoder = new TextDecoder();
  let held = '';
  return {
    get total() {
      return total;
    },
    push(bytes) {
      total += bytes.length;
      kept.push(bytes);
    },
    next() {
      const { head, tail, leftOut } = kept.take(mostBytes);
      kept = keepEnds(mostBytes);
      const notice = leftOut > 0 ? `\n[… ${leftOut} bytes left out …]\n` : '';
      const text =
        held + decoder.decode(head, { stream: true }) + notice + decoder.decode(tail, { stream: true });
      const whole = wholeText(text);
      held = text.slice(whole.length);
      return { text: cleanOutput(whole), isCut: leftOut > 0 };
    },
  };
}
