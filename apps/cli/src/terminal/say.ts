// A remark between two prompts.
import { visible } from '@codelab/protocol';
import type { Terminal } from './open-terminal.ts';

export function say({ output, paint }: Terminal, text: string): void {
  output.write(`${paint('yellow', `  ${visible(text)}`)}\n`);
}
