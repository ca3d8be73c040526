// Seed 001's stream as JSON lines.
import { createKodeEncoder } from '@codelab/dialects';
import { writeText } from '../output/write-text.ts';
import type { RunOutput } from './run-output.ts';

export function backendOnlyOutput(model: string, root: string): RunOutput {
  const encoder = createKodeEncoder({ model, root });
  const print = (line: object): void => writeText(1, `${JSON.stringify(line)}\n`);
  print(encoder.start());
  return {
    show: (signal) => encoder.encode(signal).forEach(print),
    end: (result) => print(encoder.end(result)),
  };
}
