// How a command ended; while it runs, the same with `exit_code: null`.
import * as z from 'zod/mini';
import { HeldBackList } from '../process/held-back.ts';

export const CommandOutput = () =>
  z.strictObject({
    stdout: z.string(),
    stderr: z.string(),
    /** 124 when it was stopped at its time limit, 128 and the signal's number when a signal ended it. */
    exit_code: z.nullable(z.int()),
    duration_ms: z.int(),
    timed_out: z.boolean(),
    truncated: z.boolean(),
    /** Holds all of the output, as it was printed, when the answer does not. */
    output_file: z.optional(z.string()),
    stdout_bytes: z.int(),
    stderr_bytes: z.int(),
    /** What was taken away after the run, because nobody had been asked and it decides what runs here. */
    held_back: HeldBackList(),
    /** What was held back, and what undo will not take back, in words. */
    notes: z.optional(z.array(z.string())),
  });
export type CommandOutput = z.infer<ReturnType<typeof CommandOutput>>;

export function tellCommand(output: CommandOutput): string {
  const { stdout, stderr, exit_code, timed_out, notes = [] } = output;
  const end = timed_out ? 'It was stopped at its time limit.' : `Exit code ${exit_code}.`;
  return [stdout, stderr, end, ...notes].filter((text) => text !== '').join('\n');
}
