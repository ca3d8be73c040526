// Opens a text in the user's editor, in a private file that is deleted afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import type { Tty } from './open-terminal.ts';

/** `edit` opens the editor and returns the text as saved; a second call opens the saved text again. */
export type EditorDraft = Disposable & { edit(): Promise<string> };

export function openEditorDraft(terminal: Tty, { name, text }: { name: string; text: string }): EditorDraft {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-edit-'));
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  return {
    async edit() {
      await openEditor(file, terminal);
      return readFileSync(file, 'utf8');
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A shell runs the editor, as git does, since EDITOR may hold options; the file's name never becomes part of the command. */
async function openEditor(file: string, { fds }: Tty): Promise<void> {
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
