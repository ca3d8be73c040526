// For programs: one JSON object at the end, or with stream-json one neutral event per line. What has a `seq` is in the log; the rest is
// told once and not kept.
import { writeText } from '../output/write-text.ts';
import { version } from '../version.ts';
import type { OutputOptions, RunOutput } from './run-output.ts';

const print = (line: object): void => writeText(1, `${JSON.stringify(line)}\n`);

export function jsonOutput(): RunOutput {
  return { isForPrograms: true, show: () => undefined, end: print };
}

export function streamJsonOutput({ session, root, watch }: OutputOptions): RunOutput {
  print({ type: 'session', session, workspace: root, version: version() });
  watch(({ seq, time, body }) => {
    const { type, ...rest } = body;
    print({ type, seq, time, ...rest });
  });
  return {
    isForPrograms: true,
    show(signal) {
      // The others are in the log and come from there.
      if (isTold(signal.type)) print(signal);
    },
    end: print,
  };
}

/** Signals that are lines of their own. */
export const toldSignals = ['status', 'text', 'reasoning', 'retry', 'progress'] as const;

function isTold(type: string): boolean {
  return toldSignals.some((one) => one === type);
}
