// Reports the output of a running command to whoever watches: at intervals, and in bounded pieces.

import * as z from 'zod/mini';
import { cleanOutput, type Stream, withoutPartialEscape } from '../process/capture-output.ts';
import { HeldBackList } from '../process/held-back.ts';
import { keepEnds } from '../process/keep-ends.ts';

type Reporter = Disposable & { onBytes(stream: Stream, bytes: Buffer): void };

const everyMs = 100;
const mostBytes = 16 * 1024;

/** The output since the last report, and the total so far. */
type Report = {
  stdout: string;
  stderr: string;
  truncated: boolean;
  duration_ms: number;
  stdout_bytes: number;
  stderr_bytes: number;
};

export function reportOutput(report: (report: Report) => void): Reporter {
  const sides = { stdout: side(), stderr: side() };
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const sendReport = (): void => {
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
      timer ??= setTimeout(sendReport, everyMs);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

type Side = { readonly total: number; push(bytes: Buffer): void; next(): { text: string; isCut: boolean } };

function side(): Side {
  let total = 0;
  let ends = keepEnds(mostBytes);
  const decoder = new TextDecoder();
  let pendingEscape = '';
  return {
    get total() {
      return total;
    },
    push(bytes) {
      total += bytes.length;
      ends.push(bytes);
    },
    next() {
      const { head, tail, leftOut } = ends.take(mostBytes);
      ends = keepEnds(mostBytes);
      const notice = leftOut > 0 ? `\n[… ${leftOut} bytes left out …]\n` : '';
      const text =
        pendingEscape +
        decoder.decode(head, { stream: true }) +
        notice +
        decoder.decode(tail, { stream: true });
      const complete = withoutPartialEscape(text);
      pendingEscape = text.slice(complete.length);
      return { text: cleanOutput(complete), isCut: leftOut > 0 };
    },
  };
}

/** How a command ended; while it runs, the same with `exit_code: null`. */
export const CommandReport = () =>
  z.strictObject({
    stdout: z.string(),
    stderr: z.string(),
    /** 124 for a timeout, 128 plus the number of the signal that ended it. */
    exit_code: z.nullable(z.int()),
    duration_ms: z.int(),
    timed_out: z.boolean(),
    truncated: z.boolean(),
    /** File with the whole output as printed, when the result does not hold all of it. */
    output_file: z.optional(z.string()),
    stdout_bytes: z.int(),
    stderr_bytes: z.int(),
    /** Files that were moved to the quarantine after the run, because the command was unasked and they decide what runs here. */
    held_back: HeldBackList(),
    /** Number of changes beyond what is recorded: undo leaves them. */
    not_recorded: z.optional(z.int()),
    /** Text about what was held back, and what undo will not revert. */
    notes: z.optional(z.array(z.string())),
  });
export type CommandReport = z.infer<ReturnType<typeof CommandReport>>;

export function tellCommand(output: CommandReport): string {
  const { stdout, stderr, exit_code, timed_out, notes = [] } = output;
  const end = timed_out ? 'It was stopped at its time limit.' : `Exit code ${exit_code}.`;
  return [stdout, stderr, end, ...notes].filter((text) => text !== '').join('\n');
}
