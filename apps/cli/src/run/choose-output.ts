// Which form of output; seed 001's stream also has the model speak its tools.
import { backendOnlyOutput } from './backend-only-output.ts';
import { jsonOutput, streamJsonOutput } from './json-output.ts';
import type { RunOptions } from './run-agent.ts';
import { textOutput } from './text-output.ts';

/** `isAnswerJson`: the answer has to match a schema, so that it is printed once it does. */
export function chooseOutput(
  form: string,
  { isAnswerJson }: { isAnswerJson: boolean },
): Pick<RunOptions, 'output' | 'dialect'> {
  switch (form) {
    case 'json':
      return { output: jsonOutput };
    case 'stream-json':
      return { output: streamJsonOutput };
    case 'backend_only':
      return { output: backendOnlyOutput, dialect: 'kode' };
    default:
      return { output: () => textOutput({ isAnswerJson }) };
  }
}
