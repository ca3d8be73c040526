// Seed 001's stream as JSON lines.
import { kodeVoice } from '@codelab/server/agent';
import { writeText } from '../output/write-text.ts';
import type { RunOutput } from './run-output.ts';

export function backendOnlyOutput(model: string, root: string): RunOutput {
  const voice = kodeVoice({ model, root });
  const print = (line: object): void => writeText(1, `${JSON.stringify(line)}\n`);
  print(voice.start());
  return {
    show: (signal) => voice.hear(signal).forEach(print),
    end: (result) => print(voice.end(result)),
  };
}
