// Seed 001's stream as JSON lines.
import { createKodeEncoder } from '@codelab/dialects';
import { writeText } from '../output/write-text.ts';
import type { OutputOptions, RunOutput } from './run-output.ts';

export function backendOnlyOutput({ root }: OutputOptions): RunOutput {
  const print = (line: object): void => writeText(1, `${JSON.stringify(line)}\n`);
  let encoder: ReturnType<typeof createKodeEncoder> | undefined;
  return {
    opened(model) {
      encoder = createKodeEncoder({ model, root });
      print(encoder.start());
    },
    show: (signal) => encoder?.encode(signal).forEach(print),
    end: (result) => {
      if (encoder !== undefined) print(encoder.end(result));
    },
  };
}
