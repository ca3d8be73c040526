// An approval must show what would happen: disguised names, commands whose end is out of sight, files with several names, and texts that
// changed since the model read them.
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { codelabProgram } from '../support/codelab-program.ts';
import { nextApproval } from '../support/next-approval.ts';
import { canMount } from '../support/tmpfs.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

/** Makes a call, refuses what is asked, and gives out the question; undefined when nobody was asked. */
async function questionOf(
  bench: Workbench,
  tool: string,
  args: Record<string, unknown>,
): Promise<ApprovalRequest | undefined> {
  let question: ApprovalRequest | undefined;
  const session = `s${Math.random()}`;
  bench.human((approval) => {
    question = approval;
    return { kind: 'reject' };
  }, session);
  await bench.call(tool, args, { session });
  return question;
}

describe('names', () => {
  test.each([
    ['p\u0430ckage.json', 'U+0430'],
    ['\u0441\u043e\u0440\u0435.ts', 'U+0441'],
    ['\uff52\uff4d.txt', 'U+FF52'],
    ['.env ', 'ends with a space'],
    ['config.json.', 'ends with a dot'],
    ['evil\u202egpj.exe', 'U+202E'],
    ['src/in\u200bdex.ts', 'U+200B'],
    ['a\u00a0b.txt', 'U+00A0'],
  ])('%j is flagged in the question', async (path, reason) => {
    await using bench = await workbench();
    const approval = await questionOf(bench, 'write_file', { path, content: 'x\n' });
    expect(approval?.plan.notes.join('\n')).toContain(reason);
  });

  test.each(['привет.ts', 'naïve café.txt', '日本語.md', '.gitignore', 'src/a.test.ts', 'Ελληνικά.md'])(
    '%j is an ordinary name',
    async (path) => {
      await using bench = await workbench();
      const approval = await questionOf(bench, 'write_file', { path, content: 'x\n' });
      expect(approval?.plan.notes).toEqual([]);
    },
  );

  test.each(['read_file', 'write_file', 'edit_file', 'delete_file'])(
    '%s takes no name of a file with a slash behind it',
    async (tool) => {
      await using bench = await workbench({ files: { 'a.txt': 'a\n' }, mode: 'trusted' });
      bench.human(approveAll);
      const otherArgs = { write_file: { content: 'b' }, edit_file: { old_string: 'a', new_string: 'b' } }[
        tool
      ];
      for (const path of ['a.txt/', 'a.txt/.'])
        expect(codeOf(await bench.call(tool, { path, ...otherArgs }))).toBe('INVALID_PATH');
      const moving = { from: 'a.txt', to: 'b.txt/' };
      expect(codeOf(await bench.call('move_file', moving))).toBe('INVALID_PATH');
      expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('a\n');
    },
  );

  test('a file of workspaces that editors open is asked about in every mode', async () => {
    await using bench = await workbench({ mode: 'trusted' });
    const approval = await questionOf(bench, 'write_file', { path: 'app.code-workspace', content: '{}\n' });
    expect(approval?.verdict.rule).toBe('protected-files');
  });
});

test('the list of approvals shows the end of a padded command', async () => {
  await using bench = await workbench();
  for (const [id, command] of [
    ['c1', `echo ok ${' '.repeat(2000)}; rm -rf src`],
    ['c2', `echo ${'a'.repeat(3000)} ; rm -rf lib`],
    ['c3', `echo ok ${' '.repeat(2000)}; rm -rf mid ${' '.repeat(2000)}; echo done`],
  ] as const) {
    void bench.call('run_command', { command }, { id, session: id });
    await nextApproval(bench, id);
  }
  const env = { ...process.env, CODELAB_HOME: bench.home };
  const args = [codelabProgram, 'approvals', 'list', '--workspace', bench.root];
  const { stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  for (const payload of ['rm -rf src', 'rm -rf lib', 'rm -rf mid']) expect(stdout).toContain(payload);
});

describe('texts', () => {
  test.each([
    [
      'commenting out',
      '/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */\n',
      'a.js:1 holds U+202E, which turns',
    ],
    ['a stretched string', 'if (level !== "user\u202e \u2066// Check\u2069 \u2066") {\n', 'U+202E'],
    ['an early return', 'x\ny\n/* Subtract \u2067 */ return\n', 'a.js:3 holds U+2067'],
    [
      'a Cyrillic letter in a Latin word',
      'function say\u041dello() {}\n',
      'U+041D (Н) in "sayНello", which looks like',
    ],
    ['an invisible name', 'const { timeout,\u3164} = req.query;\n', 'U+3164, which is invisible'],
    ['an escape sequence', 'echo "\u001b[8mhidden"\n', 'U+001B'],
    ['wide letters', '\uff45val(x)\n', 'U+FF45'],
  ])('%s is pointed out in the plan', async (_name, content, reason) => {
    await using bench = await workbench();
    const approval = await questionOf(bench, 'write_file', { path: 'a.js', content });
    expect(approval?.plan.notes.join('\n')).toContain(reason);
  });

  test('so is one in a command, and one that a patch adds', async () => {
    await using bench = await workbench({ files: { 'b c.txt': 'one\n' } });
    const run = await questionOf(bench, 'run_command', { command: 'rm -f x\u202e y' });
    expect(run?.plan.notes.join('\n')).toContain('The command holds U+202E');
    const diff = '--- a/b c.txt\n+++ b/b c.txt\n@@ -1 +1,2 @@\n one\n+tw\u200bo\n';
    const patch = await questionOf(bench, 'apply_patch', { diff });
    expect(patch?.plan.notes.join('\n')).toContain('b c.txt:2 holds U+200B');
  });

  test('ordinary texts have no notes, nor has what is only removed or stands beside', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'x\u200by\nold\n' } });
    const content = '// Привет, мир\r\nconst café = "naïve 👩‍💻 ❤️ 日本語";\r\n';
    expect((await questionOf(bench, 'write_file', { path: 'b.js', content }))?.plan.notes).toEqual([]);
    const edit = { path: 'a.txt', old_string: 'old', new_string: 'new' };
    expect((await questionOf(bench, 'edit_file', edit))?.plan.notes).toEqual([]);
  });

  test('a thousand of them are a short list', async () => {
    await using bench = await workbench();
    const approval = await questionOf(bench, 'write_file', {
      path: 'a.txt',
      content: 'a\u200bb\n'.repeat(1000),
    });
    expect(approval?.plan.notes).toHaveLength(21);
    expect(approval?.plan.notes.at(-1)).toContain('980 more');
  });
});

describe('in trusted mode a human is asked before writing', () => {
  test('through a hard link whose other name is not in the workspace', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a\n', 'in.txt': 'i\n' }, mode: 'trusted' });
    writeFileSync(join(bench.folder, 'outside.txt'), 'o\n');
    linkSync(join(bench.folder, 'outside.txt'), join(bench.root, 'linked.txt'));
    linkSync(join(bench.root, 'in.txt'), join(bench.root, 'twin.txt'));
    const approval = await questionOf(bench, 'write_file', { path: 'linked.txt', content: 'x\n' });
    expect(approval?.verdict).toMatchObject({ verdict: 'ask', rule: 'shared-file' });
    expect(readFileSync(join(bench.folder, 'outside.txt'), 'utf8')).toBe('o\n');
    for (const path of ['a.txt', 'twin.txt'])
      expect(await questionOf(bench, 'write_file', { path, content: 'x\n' })).toBeUndefined();
  });

  test('to a file with setuid or setgid', async () => {
    await using bench = await workbench({ files: { tool: '#!/bin/sh\n' }, mode: 'trusted' });
    chmodSync(join(bench.root, 'tool'), 0o4755);
    const edit = { path: 'tool', old_string: 'sh', new_string: 'bash' };
    expect((await questionOf(bench, 'edit_file', edit))?.verdict.rule).toBe('shared-file');
  });

  test.skipIf(!canMount())('into a folder that is mounted from elsewhere', async () => {
    await using bench = await workbench({ mode: 'trusted' });
    const outside = join(bench.folder, 'outside');
    const mounted = join(bench.root, 'mounted');
    for (const path of [outside, mounted]) mkdirSync(path);
    expect(spawnSync('mount', ['--bind', outside, mounted]).status).toBe(0);
    try {
      const approval = await questionOf(bench, 'write_file', { path: 'mounted/new.txt', content: 'x\n' });
      expect(approval?.verdict.rule).toBe('shared-file');
    } finally {
      spawnSync('umount', ['-l', mounted]);
    }
  });
});

test('a file that changed since the session has read it is not written over', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'one\n' }, mode: 'trusted' });
  await bench.call('read_file', { path: 'a.txt' });
  writeFileSync(join(bench.root, 'a.txt'), 'by the user\n');
  const write = { path: 'a.txt', content: 'two\n' };
  expect(codeOf(await bench.call('write_file', write))).toBe('STALE');
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('by the user\n');
  await bench.call('read_file', { path: 'a.txt' });
  expect(codeOf(await bench.call('write_file', write))).toBe('completed');
  expect(codeOf(await bench.call('write_file', { ...write, content: 'three\n' }))).toBe('completed');
});
