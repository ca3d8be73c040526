// Reports an error on standard error and returns its exit code.
import './shared.ts';
import { ToolError, visible } from '@codelab/protocol';
import { UsageError } from './command-line/define-command.ts';
import { writeText } from './output/write-text.ts';
import { Interrupt } from './terminal/open-terminal.ts';

export function reportError(error: unknown, args: readonly string[]): number {
  if (error instanceof Interrupt) return 130;
  if (error instanceof UsageError) {
    const name = args.filter((word) => /^[a-z]+$/.test(word)).slice(0, 1);
    const help = error.message.includes('--help')
      ? ''
      : `\`${['codelab', ...name, '--help'].join(' ')}\` says how.\n`;
    writeText(2, `codelab: ${visible(error.message)}\n${help}`);
    return 2;
  }
  if (error instanceof ToolError) {
    writeText(2, `codelab: ${visible(error.message)} (${error.code})\n`);
    return 1;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeText(2, `codelab: a defect, please report it.\n${visible(text)}\n`);
  return 1;
}
