// Reports an error on standard error and returns its exit code.
import './shared.ts';
import { statfsSync } from 'node:fs';
import { ToolError, visible } from '@codelab/protocol';
import { defaultHome } from '@codelab/server';
import { UsageError } from './command-line/define-command.ts';
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
  const expected = error instanceof ToolError ? error : fullDisk(error);
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

/** A full disk below the state folder is no defect, also when SQLite calls it an I/O error. Undefined for any other failure. */
export function fullDisk(error: unknown): ToolError | undefined {
  if (!(error instanceof Error)) return undefined;
  const isSystem = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
  const isStore = 'errcode' in error && storeCodes.includes(Number(error.errcode) % 256);
  if (!isSystem && !(isStore && freeBlocks(defaultHome()) === 0)) return undefined;
  const path = isSystem && 'path' in error ? String(error.path) : defaultHome();
  return new ToolError('NO_SPACE', `No space left on the disk for ${path}. Free some space, then try again.`);
}

// SQLITE_IOERR and SQLITE_FULL.
const storeCodes = [10, 13];

function freeBlocks(folder: string): number | undefined {
  try {
    return statfsSync(folder).bavail;
  } catch {
    return undefined;
  }
}
