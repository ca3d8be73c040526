// `apply_patch <<'EOF'` as a shell line: the tool call it means, asked with its diff, undone byte for byte.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shellPatch } from '../../packages/runtime/src/patch/envelope/read-envelope.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch\n';

describe('a shell line is a patch', () => {
  test.each([
    ['with its end', `apply_patch <<'EOF'\n${patch}EOF\n`],
    ['without its end', `apply_patch <<'EOF'\n${patch}`],
    ['unquoted', `apply_patch <<EOF\n${patch}EOF`],
    ['as an argument', `apply_patch '${patch}'`],
    ['with blanks around', `\n  apply_patch <<"PATCH"\n${patch}PATCH\n\n`],
  ])('%s', (_, command) => {
    expect(shellPatch(command, '.')?.trim()).toBe(patch.trim());
  });

  test('below the folder it is given in', () => {
    expect(shellPatch(`cd sub/x && apply_patch <<'EOF'\n${patch}EOF`, 'lib')).toContain(
      'Update File: lib/sub/x/a.txt',
    );
    expect(
      shellPatch(`cd sub && apply_patch <<'EOF'\n${patch.replace('a.txt', '/abs/a.txt')}EOF`, '.'),
    ).toContain('File: /abs/a.txt');
  });

  test.each([
    ['more follows', `apply_patch <<'EOF'\n${patch}EOF\nrm -rf .`],
    ['more comes before', `rm x; apply_patch <<'EOF'\n${patch}EOF`],
    ['it is piped', `apply_patch <<'EOF' | cat\n${patch}EOF`],
    ['it is no patch', "apply_patch <<'EOF'\nhello\nEOF"],
    ['another program', `apply_patches <<'EOF'\n${patch}EOF`],
    ['a diff in a folder', "cd sub && apply_patch <<'EOF'\n--- a\n+++ a\nEOF"],
  ])('not when %s', (_, command) => {
    expect(shellPatch(command, '.')).toBeUndefined();
  });
});

test('it is asked with the diff, applied as an edit and undone', async () => {
  await using bench = await workbench({ files: { 'sub/a.txt': 'one\n' } });
  const questions: unknown[] = [];
  bench.human((approval) => {
    questions.push(approval.plan.diff?.text, approval.plan.command);
    return approveAll(approval);
  });
  const outcome = await bench.call('run_command', { command: `cd sub && apply_patch <<'EOF'\n${patch}` });
  expect(outcome).toMatchObject({
    status: 'completed',
    data: { exit_code: 0, stdout: 'Applied: update sub/a.txt.\n' },
  });
  expect(questions).toEqual([expect.stringContaining('+two'), undefined]);
  expect(readFileSync(join(bench.root, 'sub/a.txt'), 'utf8')).toBe('two\n');
  await bench.call('undo', {});
  expect(readFileSync(join(bench.root, 'sub/a.txt'), 'utf8')).toBe('one\n');
});

test('a path that leads out is refused, and a miss is the answer of the patch', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'other\n' } });
  bench.human(approveAll);
  const run = (command: string) => bench.call('run_command', { command });
  expect(
    await run(`cd .. && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: out.txt\n+x\n*** End Patch\nEOF`),
  ).toMatchObject({
    status: 'failed',
    error: { code: 'PATH_OUTSIDE_WORKSPACE' },
  });
  expect(existsSync(join(bench.folder, 'out.txt'))).toBe(false);
  expect(await run(`apply_patch <<'EOF'\n${patch}EOF`)).toMatchObject({
    status: 'failed',
    error: { code: 'PATCH_APPLY_FAILED', message: expect.stringContaining('expected: "one"') },
  });
});

test('some of its hunks can be taken', async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  await using bench = await workbench({ files: { 'a.txt': `${lines.join('\n')}\n` } });
  bench.human(() => ({ kind: 'hunks', take: [2] }));
  const hunks = '@@\n-line 2\n+LINE 2\n@@\n-line 25\n+LINE 25\n';
  const command = `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.txt\n${hunks}*** End Patch\nEOF`;
  expect(await bench.call('run_command', { command })).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe(
    `${lines.join('\n')}\n`.replace('line 25', 'LINE 25'),
  );
});

test('a line of a file that looks like the end of the here-document is none', async () => {
  await using bench = await workbench({ files: { 'a.sh': 'cat <<EOF\n  EOF\n EOF\none\ntwo\n' } });
  bench.human(approveAll);
  const hunk = '@@\n   EOF\n  EOF\n-one\n+ONE\n two\n';
  const diff = `*** Begin Patch\n*** Update File: a.sh\n${hunk}*** Add File: b.txt\n+b\n*** End Patch\n`;
  for (const [tool, args] of [
    ['run_command', { command: `apply_patch <<'EOF'\n${diff}EOF` }],
    ['undo', {}],
    ['apply_patch', { diff: `apply_patch <<'EOF'\n${diff}EOF` }],
  ] as const)
    expect(await bench.call(tool, args), tool).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(bench.root, 'a.sh'), 'utf8')).toBe('cat <<EOF\n  EOF\n EOF\nONE\ntwo\n');
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(true);
});

test('a rule that denies the tool denies the shell line too', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'one\n' }, mode: 'trusted' });
  bench.human(approveAll);
  const rule = { id: 'no-patches', effect: 'deny', reason: 'Not this way.', tool: 'apply_patch' } as const;
  const session = await bench.host.session('s1');
  await session.commit(() => [{ type: 'rule.remembered', rule, by: { who: 't', via: 'test' } }]);
  expect(await bench.call('run_command', { command: `apply_patch <<'EOF'\n${patch}EOF` })).toMatchObject({
    status: 'failed',
    error: { code: 'PERMISSION_DENIED', message: expect.stringContaining('Not this way.') },
  });
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('one\n');
});
