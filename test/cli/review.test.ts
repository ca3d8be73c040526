// The review of a diff by hunk at a real terminal (tmux): take, leave, split, edit, quit.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changed, hunkOf, lines, textOf } from '../support/forty-lines.ts';
import { hasTmux, openTerminal, type Terminal } from '../support/terminal.ts';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');

let scratch: string;
let workspace: string;
let terminal: Terminal;
const see: Terminal['see'] = (text) => terminal.see(text);
const until: Terminal['until'] = (condition, check) => terminal.until(condition, check);
const press: Terminal['press'] = (...keys) => terminal.press(...keys);

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'codelab-review-'));
  workspace = join(scratch, 'workspace');
  terminal = openTerminal(scratch, 100, 50);
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'a.txt'), textOf(lines));
});

afterEach(() => {
  terminal[Symbol.dispose]();
  rmSync(scratch, { recursive: true, force: true });
});

describe.runIf(hasTmux)('hunk by hunk', { timeout: 60_000 }, () => {
  test('y and n take and leave single hunks, ? explains', async () => {
    await review();
    const screen = await see('(1/3) Take this hunk [y,n,a,d,s,e,q,?]?');
    expect(screen).toContain('2 + one');
    await answer('?', 'e - edit it by hand, then take it');
    await answer('y', '(2/3) Take this hunk [y,n,a,d,e,q,?]?');
    await answer('n', '(3/3) Take this hunk');
    await answer('y', 'Selected, whole or in part: 2 of 3 hunks.');
    await confirm('✔ Approved hunk 1, 3');
    expect(await ended()).toMatchObject({ code: 0 });
    expect(written()).toBe(textOf(changed.with(19, 'line 20')));
  });

  test('s splits a hunk, and a part of it can be taken', async () => {
    await review();
    await answer('s', '(1/4) Take this hunk [y,n,a,d,e,q,?]?');
    await answer('n', '(2/4) Take this hunk');
    await answer('y', '(3/4) Take this hunk');
    await answer('d', '1 of 3 hunks');
    await confirm('✔ Approved hunk 1 as you changed it');
    await ended();
    expect(written()).toBe(textOf(lines.with(4, 'two')));
  });

  test('a takes all that is left; a hunk whose parts are all taken counts as whole', async () => {
    await review();
    await answer('s', '(1/4)');
    for (const i of [2, 3]) await answer('y', `(${i}/4)`);
    await answer('a', '3 of 3 hunks');
    await confirm('✔ Approved');
    await ended();
    expect(written()).toBe(textOf(changed));
  });

  test('e opens the editor on the hunk; one that does not apply is edited again', async () => {
    const editor = script(`stat -c %a "$1" > ${scratch}/mode
if [ -e ${scratch}/first ]; then sed 's/^+three$/+drei/' ${scratch}/first > "$1"
else cp "$1" ${scratch}/first; sed -i '/^ line 18$/d' "$1"; fi`);
    await review({ EDITOR: editor });
    await answer('n', '(2/3) Take this hunk');
    expect(await answer('e', 'Edit again')).toContain('line 18 of the file must stay in it');
    await answer('e', '❯ e');
    press('Enter');
    await see('(3/3) Take this hunk');
    await answer('n', '1 of 3 hunks');
    await confirm('✔ Approved hunk 2 as you changed it');
    await ended();
    expect(written()).toBe(textOf(lines.with(19, 'drei')));
    expect(readFileSync(join(scratch, 'first'), 'utf8')).toContain('@@ -17,7 +17,7 @@');
    expect(readFileSync(join(scratch, 'mode'), 'utf8')).toBe('600\n');
  });

  test('q takes nothing more; without any hunk the call is rejected', async () => {
    await review();
    await answer('q', 'No hunks selected.');
    await confirm('✖ Rejected: no hunk was taken');
    expect(await ended()).toMatchObject({ code: 1, message: { error: { code: 'REJECTED' } } });
    expect(written()).toBe(textOf(lines));
  });

  test('Escape and No lead back to the menu with nothing decided', async () => {
    await review();
    press('Escape');
    await see('y yes');
    press('C-u', 'h', 'Enter');
    await see('(1/3) Take this hunk');
    await answer('q', 'No hunks selected.');
    press('n', 'Enter');
    await see('y yes');
    press('C-c');
    expect(await ended()).toMatchObject({ code: 130 });
    expect(written()).toBe(textOf(lines));
  });

  test('a file changed meanwhile is not overwritten with what was split from the old one', async () => {
    await review();
    await answer('s', '(1/4) Take');
    await answer('y', '(2/4) Take');
    await answer('q', '1 of 3 hunks');
    writeFileSync(join(workspace, 'a.txt'), 'by hand\n');
    await confirm('What it touches was changed in the meantime');
    press('C-c');
    await ended();
    expect(written()).toBe('by hand\n');
  });
});

describe.runIf(hasTmux)('an edit', { timeout: 60_000 }, () => {
  const edits = [1, 4, 19].map((i) => ({ old_string: `${lines[i]}\n`, new_string: `${changed[i]}\n` }));
  const [old_string, new_string] = [lines, changed].map((texts) => textOf(texts.slice(1, 20)));

  test.each([
    ['multi_edit', { edits }],
    ['edit_file', { old_string, new_string }],
  ])('of %s is split and edited like any other change', async (tool, args) => {
    const editor = script(`sed -i 's/^+three$/+drei/' "$1"`);
    start(tool, { path: 'a.txt', ...args }, { EDITOR: editor });
    await openReview();
    await answer('s', '(1/3) Take this hunk [y,n,a,d,e,q,?]?');
    await answer('n', '(2/3) Take this hunk');
    await answer('y', '(3/3) Take this hunk');
    await answer('e', 'Selected, whole or in part: 2 of 2 hunks.');
    await confirm('✔ Approved hunk 1 as you changed it, 2 as you changed it');
    expect(await ended()).toMatchObject({ code: 0 });
    expect(written()).toBe(textOf(lines.with(4, 'two').with(19, 'drei')));
  });
});

describe.runIf(hasTmux)('a patch', { timeout: 60_000 }, () => {
  const patch = `--- a/a.txt\n+++ b/a.txt\n${hunkOf(1, 8)}${hunkOf(17, 23)}${hunkOf(33, 39)}`;
  const other = '--- a/ü.txt\n+++ b/ü.txt\n@@ -1 +1,2 @@\n eins\n+zwei ü\n';

  test('is split across files and applied in part', async () => {
    writeFileSync(join(workspace, 'ü.txt'), 'eins\n');
    start('apply_patch', { diff: patch + other });
    await openReview();
    await answer('s', '(1/5)');
    for (const [i, key] of ['y', 'n', 'n', 'n'].entries()) await answer(key, `(${i + 2}/5)`);
    await answer('y', '2 of 4 hunks');
    await confirm('✔ Approved hunk 1 as you changed it, 4');
    expect(await ended()).toMatchObject({ code: 0 });
    expect(written()).toBe(textOf(lines.with(1, 'one')));
    expect(readFileSync(join(workspace, 'ü.txt'), 'utf8')).toBe('eins\nzwei ü\n');
  });

  test('that is only to be reviewed is answered with the hunks taken', async () => {
    start('apply_patch_review', { diff: patch, message: 'Shall I?' });
    await openReview();
    expect(await see('(1/3) Take this hunk [y,n,a,d,s,e,q,?]?')).toContain('+ one');
    await answer('n', '(2/3) Take this hunk');
    await answer('y', '(3/3) Take this hunk');
    await answer('q', '1 of 3 hunks');
    await confirm('✔ Approved hunk 2');
    expect(await ended()).toMatchObject({
      code: 0,
      message: { result: { action: 'apply', chunks_selected: [2], chunks_total: 3 } },
    });
  });

  test('that is only to be reviewed is answered with what was split and edited', async () => {
    const editor = script(`sed -i 's/^+three$/+drei/' "$1"`);
    start('apply_patch_review', { diff: patch }, { EDITOR: editor });
    await openReview();
    await answer('s', '(1/4)');
    await answer('n', '(2/4)');
    await answer('y', '(3/4)');
    await answer('e', '(4/4)');
    await answer('n', '2 of 3 hunks');
    await confirm('✔ Approved hunk 1 as you changed it, 2 as you changed it');
    const { message } = await ended();
    const { filtered_diff } = (message as { result: { filtered_diff: string } }).result;
    expect(filtered_diff.match(/^[-+][^-+].*/gm)).toEqual(['-line 5', '+two', '-line 20', '+drei']);
    expect(written()).toBe(textOf(lines));
  });

  test('of which no hunk is taken is answered with cancel', async () => {
    start('apply_patch_review', { diff: patch });
    await openReview();
    await answer('q', 'No hunks selected.');
    await confirm('✔ cancel');
    expect(await ended()).toMatchObject({ code: 0, message: { result: { action: 'cancel' } } });
    expect(written()).toBe(textOf(lines));
  });
});

async function review(env: Record<string, string> = {}): Promise<void> {
  start('write_file', { path: 'a.txt', content: textOf(changed) }, env);
  await openReview();
}

/** Pages through the diff to the menu, and from there to the first hunk. */
async function openReview(): Promise<void> {
  await until('the menu', () => {
    const screen = terminal.screen();
    if (screen.includes('next page')) press('e');
    return /h +hunks/i.test(screen) ? screen : undefined;
  });
  press('C-u', 'h', 'Enter');
  await see('Take this hunk');
}

async function answer(key: string, then: string): Promise<string> {
  press(key);
  return await see(then);
}

async function confirm(then: string): Promise<void> {
  await see('y  Yes');
  press('y', 'Enter');
  await see(then);
}

function start(name: string, args: object, env: Record<string, string> = {}): void {
  writeFileSync(join(scratch, 'args.json'), JSON.stringify(args));
  const words = [process.execPath, launcher, 'tool', name, '"$(cat ../args.json)"'];
  const line = `cd ${workspace}; ${words.join(' ')} > ../out.json; echo $? > ../code.new; mv ../code.new ../code; sleep 60`;
  terminal.run(line, { CODELAB_HOME: join(scratch, 'home'), ...env });
}

function script(body: string): string {
  const file = join(scratch, 'editor.sh');
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

function written(): string {
  return readFileSync(join(workspace, 'a.txt'), 'utf8');
}

async function ended(): Promise<{ code: number; message: unknown }> {
  await until('codelab ends', () => existsSync(join(scratch, 'code')) || undefined);
  const [code = '', message = ''] = ['code', 'out.json'].map((name) =>
    readFileSync(join(scratch, name), 'utf8'),
  );
  return { code: Number(code), message: JSON.parse(message) };
}
