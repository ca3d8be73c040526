// For programs that follow along: one neutral event per line. What has a `seq` is in the log; the rest is told once and not kept.
import type { SessionEvent } from '@codelab/protocol';
import { writeText } from '../output/write-text.ts';
import type { RunOutput } from './run-output.ts';

export function streamJsonOutput(watch: (listener: (event: SessionEvent) => void) => void): RunOutput {
  const print = (line: object): void => writeText(1, `${JSON.stringify(line)}\n`);
  watch(({ seq, time, body }) => {
    const { type, ...rest } = body;
    print({ type, seq, time, ...rest });
  });
  return {
    show(signal) {
      // The others are in the log and come from there.
      if (['status', 'text', 'reasoning', 'retry', 'progress'].includes(signal.type)) print(signal);
    },
    end: () => undefined,
  };
}
