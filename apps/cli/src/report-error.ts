// Reports an error on standard error and returns its exit code.
import './shared.ts';
import { join } from 'node:path';
import { ToolError, visible } from '@codelab/protocol';
import { damagedLog, fault, isDamage, stateFault } from '@codelab/runtime';
import { defaultHome, isOnNats, logFile } from '@codelab/server';
import { noCurrentFolder, UsageError } from './command-line/define-command.ts';
import { writeText } from './command-line/process.ts';
import { Interrupt } from './terminal/open-terminal.ts';

/** `commands` are the names of all commands. */
export function reportError(error: unknown, args: readonly string[], commands: readonly string[]): number {
  if (error instanceof Interrupt) return 130;
  if (error instanceof UsageError) {
    const help = `Run \`${['codelab', ...commandWords(args, commands), '--help'].join(' ')}\` for usage.\n`;
    writeText(2, `codelab: ${visible(error.message)}\n${error.message.includes('--help') ? '' : help}`);
    return 2;
  }
  const expected = error instanceof ToolError ? error : expectedFault(error);
  if (expected !== undefined) {
    writeText(2, `codelab: ${visible(expected.message)} (${expected.code})\n`);
    return 1;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeText(2, `codelab: a defect, please report it.\n${visible(text)}\n`);
  return 1;
}

/** The words of the command that the arguments name: two for a command of a group. */
function commandWords(args: readonly string[], commands: readonly string[]): string[] {
  const [first = '', second = ''] = args.filter((word) => !word.startsWith('-'));
  if (commands.includes(`${first} ${second}`)) return [first, second];
  return /^[a-z][a-z-]*$/.test(first) ? [first] : [];
}

/** What the machine or the user has to change, as opposed to a defect. Undefined for any other failure. */
export function expectedFault(error: unknown): ToolError | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('syscall' in error && error.syscall === 'uv_cwd') return noCurrentFolder();
  if (isDamage(error)) return damagedLog(error, logHere());
  return stateFault(error, defaultHome()) ?? placeFault(error);
}

/** The log that commands use when no option names another one. */
function logHere(): string {
  const { CODELAB_LOG: words } = process.env;
  return (isOnNats(words) ? undefined : logFile(words)) ?? join(defaultHome(), 'sessions.db');
}

const placeCodes = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'];

function placeFault(error: Error): ToolError | undefined {
  if (!('code' in error && placeCodes.includes(String(error.code)))) return undefined;
  return fault(error, 'path' in error ? String(error.path) : defaultHome());
}
