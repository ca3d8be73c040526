// The human's own editor on the call's arguments, in a private file. What comes back is checked like any JSON from outside.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Decision, limitProfiles, parseJson, ToolError, visible } from '@codelab/protocol';
import type { Terminal } from '../terminal/open-terminal.ts';
import { select } from '../terminal/select.ts';
import type { Asking } from './asking.ts';
import { timeLeft } from './time-left.ts';

type Args = Record<string, unknown>;

export async function editArguments(asking: Asking): Promise<Decision | undefined> {
  const { approval, terminal } = asking;
  const before = `${JSON.stringify(approval.args, null, 2)}\n`;
  const folder = mkdtempSync(join(tmpdir(), 'codelab-edit-'));
  const file = join(folder, 'arguments.json');
  try {
    writeFileSync(file, before, { mode: 0o600, flag: 'wx' });
    for (;;) {
      await openEditor(file, terminal);
      const after = readFileSync(file, 'utf8');
      if (after === before) return say(terminal, 'Nothing was changed.');
      const args = read(after);
      if (typeof args !== 'string') return { kind: 'edit', args };
      say(terminal, args);
      if (!(await wantsAgain(asking))) return undefined;
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return say(terminal, error.message);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The arguments, or what is wrong with them. */
function read(text: string): Args | string {
  const { argsBytes: bytes, argsDepth: depth } = limitProfiles.plugin;
  try {
    const value = parseJson(text, { bytes, depth });
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Args) : 'The arguments must be one JSON object.';
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

async function wantsAgain({ terminal, approval, signal }: Asking): Promise<boolean> {
  const choices = [
    { key: 'e', label: 'Edit again', value: true },
    { key: 'b', label: 'Back', hint: 'drop the edit', value: false },
  ];
  return (await select(terminal, { choices, footer: () => timeLeft(approval), signal })) ?? false;
}

// A shell runs it, as git does, since EDITOR may hold options; the file's name never becomes part of the command.
async function openEditor(file: string, { fds }: Terminal): Promise<void> {
  const editor =
    process.env.VISUAL || process.env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
  const stdio = [fds.input, fds.output, fds.output];
  const child =
    process.platform === 'win32'
      ? spawn(`${editor} "${file}"`, { stdio, shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], { stdio });
  const [code] = await once(child, 'exit');
  if (code !== 0)
    throw new ToolError(
      'COMMAND_NOT_FOUND',
      `The editor (${editor}) ended with code ${code}. Set EDITOR to yours.`,
    );
}

function say({ output, paint }: Terminal, text: string): undefined {
  output.write(`${paint('yellow', `  ${visible(text)}`)}\n`);
}
