// Reports an error on standard error and returns its exit code.
import './shared.ts';
import { statfsSync } from 'node:fs';
import { ToolError, visible } from '@codelab/protocol';
import { defaultHome } from '@codelab/server';
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
  const expected = error instanceof ToolError ? error : fullDisk(error);
  if (expected !== undefined) {
    writeText(2, `codelab: ${visible(expected.message)} (${expected.code})\n`);
    return 1;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  writeText(2, `codelab: a defect, please report it.\n${visible(text)}\n`);
  return 1;
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
