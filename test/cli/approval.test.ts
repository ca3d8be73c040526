// The question to a human at a real terminal (tmux): what it shows, and what each answer does.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compose } from '../../apps/server/src/index.ts';
import { answerApproval, pendingApprovals } from '../../packages/runtime/src/index.ts';
import { hasTmux, openTerminal, type Terminal } from '../support/terminal.ts';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');

let scratch: string;
let workspace: string;
let home: string;
let terminal: Terminal;
const see: Terminal['see'] = (text) => terminal.see(text);
const until: Terminal['until'] = (condition, check) => terminal.until(condition, check);
const press: Terminal['press'] = (...keys) => terminal.press(...keys);

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codelab-tty-'));
  workspace = join(scratch, 'workspace');
  home = join(scratch, 'home');
  terminal = openTerminal(scratch, 100, 40);
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'a.txt'), 'one\ntwo\nthree\n');
});

afterEach(() => {
  terminal[Symbol.dispose]();
  rmSync(scratch, { recursive: true, force: true });
});

describe.runIf(hasTmux)('at a terminal', { timeout: 60_000 }, () => {
  test('the human sees risk, diff, real path and why, details on demand, and approves with one key', async () => {
    symlinkSync('a.txt', join(workspace, 'link.txt'));
    start('write_file', { path: 'link.txt', content: 'one\n2\nthree\n' });
    const screen = await see('y yes');
    for (const part of [
      'LOW RISK  Change a.txt (+1 −1 lines)',
      'Every change to files is asked in strict mode.',
      'writes   a.txt',
      'asked for as "link.txt"',
      '2 − two',
      '2 + 2',
      'expires in',
    ])
      expect(screen).toContain(part);
    expect(screen).not.toContain('rule default:edit');
    // Enter alone decides nothing.
    press('Enter');
    press('?');
    expect(await see('[rule default:edit]')).toContain('arguments');
    await see('y yes');
    press('y');
    await see('✔ Approved');
    expect(await ended()).toEqual({ code: 0, message: expect.objectContaining({ type: 'tool_result' }) });
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\n2\nthree\n');
  });

  test('what would hide or move the cursor is shown as a mark', async () => {
    start('write_file', { path: 'b.txt', content: 'a\u001b[2Kb\u202ec\u200bd\re\n' });
    expect(await see('y yes')).toContain('a␛[2Kb⟨U+202E⟩c⟨U+200B⟩d␍e');
    press('C-c');
    await see('■ Cancelled');
    expect(await ended()).toMatchObject({ code: 130, message: { error: { code: 'CANCELLED' } } });
  });

  test('a rejection carries the human’s words', async () => {
    start('write_file', { path: 'a.txt', content: '' });
    await see('y yes');
    press('Not like this', 'Enter');
    expect(await ended()).toMatchObject({
      code: 1,
      message: { error: { code: 'REJECTED', message: expect.stringContaining('Not like this') } },
    });
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  test('the arguments are edited in a private file with the human’s own editor; broken JSON asks again', async () => {
    const editor = join(scratch, 'editor.sh');
    writeFileSync(
      editor,
      `#!/bin/sh
stat -c %a "$1" > ${scratch}/mode
if [ -e ${scratch}/tried ]; then sed 's/first/second/' ${scratch}/tried > "$1"
else cp "$1" ${scratch}/tried; echo '{' > "$1"; fi\n`,
    );
    chmodSync(editor, 0o755);
    start('write_file', { path: 'b.txt', content: 'first\n' }, { EDITOR: editor });
    await see('y yes');
    press('e', 'Enter');
    expect(await see('Edit again')).toContain('Not valid JSON');
    press('e', 'Enter');
    await see('✔ Approved as you edited it');
    expect((await ended()).code).toBe(0);
    expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('second\n');
    expect(readFileSync(join(scratch, 'mode'), 'utf8')).toBe('600\n');
  });

  test('`always` shows the exact rule and remembers it; a built-in question can’t be silenced', async () => {
    start('write_file', { path: 'b.txt', content: '1\n' });
    await see('w always');
    press('w', 'Enter');
    await see('What should run unasked from now on?');
    const breadths = await see('Edits in this workspace');
    for (const text of ['Edits of b.txt', 'Edits in the top folder', 'Edits in this workspace'])
      expect(breadths).toContain(text);
    press('f', 'Enter');
    const rule = await see('you, in every workspace');
    expect(rule).toContain('"kind": "edit"');
    expect(rule).toContain('"./b.txt"');
    press('w', 'Enter');
    await see('remember this rule for this workspace');
    press('y', 'Enter');
    await see('✔ Approved and remembered (workspace)');
    expect((await ended()).code).toBe(0);

    start('write_file', { path: 'b.txt', content: '2\n' });
    expect((await ended()).code).toBe(0);
    start('write_file', { path: 'package.json', content: '{}\n' });
    const screen = await see('y yes');
    expect(screen).toContain('CRITICAL RISK');
    expect(screen).not.toContain('w always');
  });

  test('nothing can be decided before the end of a long diff was on the screen', async () => {
    const content = Array.from({ length: 100 }, (_, i) => `line ${i + 1}\n`).join('');
    start('write_file', { path: 'b.txt', content });
    expect(await see('next page')).not.toContain('y yes');
    press('y');
    const last = await until('the last page', () => {
      const screen = terminal.screen();
      if (screen.includes('y yes')) return screen;
      press('Enter');
      return undefined;
    });
    expect(last).toContain('100 + line 100');
    press('C-c');
    expect((await ended()).code).toBe(130);
  });

  test('a question is answered with one of its actions', async () => {
    start('prompt_user', { message: 'Which one?', actions: ['left', 'right'] });
    expect(await see('2  right')).toContain('Which one?');
    press('Down', 'Down', 'Enter');
    expect(await ended()).toMatchObject({ code: 0, message: { result: { action: 'right' } } });
  });

  test('the prompt closes when somebody else decides', async () => {
    start('write_file', { path: 'b.txt', content: '1\n' }, {}, '--session', 's1');
    await see('y yes');
    await using otherProcess = await compose({ workspace, home });
    const [approval] = pendingApprovals(await otherProcess.host.session('s1'));
    await answerApproval(otherProcess.host, {
      session: 's1',
      approvalId: approval?.id ?? '',
      decision: { kind: 'reject', feedback: 'no' },
      by: { who: 'ann', via: 'browser' },
    });
    await see('Decided elsewhere: reject by ann via browser');
    expect((await ended()).code).toBe(1);
  });
});

/** Runs `codelab tool` in a terminal of its own; only its screen is the human's, standard output goes to a file. */
function start(name: string, args: object, env: Record<string, string> = {}, ...options: string[]): void {
  rmSync(join(scratch, 'code'), { force: true });
  writeFileSync(join(scratch, 'args.json'), JSON.stringify(args));
  const words = [process.execPath, launcher, 'tool', name, '"$(cat ../args.json)"', ...options];
  const script = `cd ${workspace}; ${words.join(' ')} > ../out.json; echo $? > ../code.new; mv ../code.new ../code; sleep 60`;
  terminal.run(script, { CODELAB_HOME: home, ...env });
}

async function ended(): Promise<{ code: number; message: unknown }> {
  const read = (name: string): string | undefined => {
    const { status, stdout } = spawnSync('cat', [join(scratch, name)], { encoding: 'utf8' });
    return status === 0 ? stdout : undefined;
  };
  const code = Number(await until('codelab ends', () => read('code')));
  return { code, message: JSON.parse(read('out.json') ?? '') };
}
