// Which form of output; seed 001's stream also has the model speak its tools.

import { backendOnlyOutput } from './backend-only-output.ts';
import { jsonOutput } from './json-output.ts';
import type { RunOptions } from './run-agent.ts';
import { streamJsonOutput } from './stream-json-output.ts';
import { textOutput } from './text-output.ts';

export function chooseOutput(form: string): Pick<RunOptions, 'output' | 'dialect'> {
  switch (form) {
    case 'json':
      return { output: jsonOutput };
    case 'stream-json':
      return { output: ({ watch }) => streamJsonOutput(watch) };
    case 'backend_only':
      return { output: ({ model, root }) => backendOnlyOutput(model, root), dialect: 'kode' };
    default:
      return { output: textOutput };
  }
}
