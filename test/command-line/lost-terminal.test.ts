// A chat whose terminal is gone: its launcher was killed, and the shell has the terminal again.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';
import { hasTmux, openTerminal } from '../support/terminal.ts';

const codelab = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');

// Starts the chat as the launcher of an older Node does.
const launcher = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const child = spawn(process.execPath, [${JSON.stringify(codelab)}, '--model', 'demo', '--mode', 'strict'], { stdio: 'inherit' });
writeFileSync('pids', process.pid + ' ' + child.pid);
`;

test.runIf(hasTmux)(
  'a chat whose launcher is killed ends without a stack trace',
  async () => {
    using scratch = scratchFolder();
    writeFileSync(join(scratch.root, 'launcher.mjs'), launcher);
    using terminal = openTerminal(scratch.home, 100, 200);
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, CODELAB_HOME: scratch.home, NO_COLOR: '1' };
    terminal.run(`cd ${scratch.root} && exec bash --norc --noprofile -i`, env);
    await terminal.see('bash');
    terminal.press(`${process.execPath} launcher.mjs`, 'Enter');
    await terminal.see('· demo');
    const [parent = 0, chat = 0] = readFileSync(join(scratch.root, 'pids'), 'utf8').split(' ').map(Number);
    process.kill(parent, 'SIGKILL');
    await terminal.see('Killed');
    // The chat notices when it tries to read what is typed into the shell, unless the shell was faster.
    terminal.press('echo still $((40 + 2))', 'Enter');
    await terminal.see('still 42');
    await terminal.until('the chat has ended', () => {
      terminal.press('Enter');
      return hasEnded(chat) || undefined;
    });
    expect(terminal.screen()).not.toMatch(/EIO|node:events|at .*\.mjs/);
  },
  60_000,
);

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
