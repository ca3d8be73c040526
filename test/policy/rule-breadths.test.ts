// Rules with breadth, remembered by a human and then met by other spellings: what they cover runs unasked, what they don't is asked about.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest, Breadth, Decision } from '@codelab/protocol';
import { proposeBreadths, runCall } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { type ProcessBench, processBench } from '../support/process-bench.ts';
import { webBench } from '../support/web-bench.ts';

type Remembering = AsyncDisposable & {
  bench: ProcessBench;
  asked: ApprovalRequest[];
  lines(): (string | undefined)[];
  /** From now on nothing is approved. */
  refuse(): void;
};

/** Everything is approved; where a rule of this breadth is offered, it is remembered. */
async function remembering(breadth: Breadth, files: Record<string, string>): Promise<Remembering> {
  const approvals: ApprovalRequest[] = [];
  let isRefusing = false;
  const human = (approval: ApprovalRequest): Decision => {
    if (isRefusing) return { kind: 'reject' };
    approvals.push(approval);
    const isOffered = proposeBreadths(approval).some((proposal) => proposal.breadth === breadth);
    return isOffered ? { kind: 'approve', remember: { scope: 'session', breadth } } : { kind: 'approve' };
  };
  const bench = await processBench({ files, human });
  bench.bench.host.rules.mode = 'balanced';
  const lines = (): (string | undefined)[] => approvals.map(({ plan }) => plan.command?.line ?? plan.summary);
  const refuse = (): void => {
    isRefusing = true;
  };
  return {
    bench,
    asked: approvals,
    lines,
    refuse,
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}

const manifest = (test: string): string => JSON.stringify({ name: 'x', scripts: { test } });

test('a script with any arguments, while its text in package.json is the same', async () => {
  await using all = await remembering('program', {
    'package.json': manifest('echo good'),
    'sub/package.json': manifest('echo good'),
  });
  const { bench, lines } = all;
  for (const line of ['npm test', 'npm t -- --grep "a b"']) await bench.run(line);
  expect(lines()).toEqual(['npm test']);
  await bench.run('npm test -- --globalSetup=./x.js');
  await bench.run('cd sub && npm test');
  expect(lines().slice(1)).toEqual(['npm test -- --globalSetup=./x.js', 'cd sub && npm test']);
  writeFileSync(join(bench.root, 'package.json'), manifest('echo other'));
  await bench.run('npm test');
  expect(all.asked.at(-1)?.verdict.reason).toContain('npm test runs: was "echo good", is now "echo other".');
});

test('the script of a package, while it is the same and no other package takes the name', async () => {
  const manifest = (name: string, script: string): string =>
    JSON.stringify({ name, scripts: { test: script } });
  await using all = await remembering('program', {
    'package.json': JSON.stringify({ name: 'root', workspaces: ['packages/*'] }),
    'packages/api/package.json': manifest('@x/api', 'echo good'),
    'packages/web/package.json': manifest('@x/web', 'echo web'),
    'node_modules/.bin/tsc': '#!/bin/sh\necho checked\n',
  });
  const { bench, lines } = all;
  chmodSync(join(bench.root, 'node_modules/.bin/tsc'), 0o755);
  for (const line of ['npm test -w @x/api', 'npm test --workspace=@x/api -- --bail']) await bench.run(line);
  for (const line of ['npx tsc --noEmit', 'npx tsc --noEmit src/a.ts 2>&1 | head -3']) await bench.run(line);
  expect(lines()).toEqual(['npm test -w @x/api', 'npx tsc --noEmit']);
  const other = ['npm test -w @x/web', 'npx tsc', 'npx tsc --noEmit -p x'];
  for (const line of other) await bench.run(line);
  mkdirSync(join(bench.root, 'packages/more'));
  writeFileSync(join(bench.root, 'packages/more/package.json'), manifest('@x/api', 'echo other'));
  await bench.run('npm test -w @x/api');
  expect(lines().slice(2)).toEqual([...other, 'npm test -w @x/api']);
});

test('a commit with any message, also one of several lines', async () => {
  await using all = await remembering('program', { 'a.txt': 'a\n' });
  const { bench, lines } = all;
  await bench.run('git init -q');
  await bench.run('git add a.txt && git commit -q -m "one two"');
  const before = lines().length;
  for (const line of [
    'git add -A',
    'git commit -am "three: four"',
    `git commit -m "$(cat <<'EOF'\nfive\n\nsix\nEOF\n)"`,
  ])
    await bench.run(line);
  expect(lines().slice(before)).toEqual([]);
  await bench.run('git commit --no-verify -m five');
  expect(lines().slice(before)).toEqual(['git commit --no-verify -m five']);
});

test.each<[Breadth, string[]]>([
  ['file', ['src/b.ts', 'src/deep/c.ts', 'd.ts', 'src/package.json']],
  ['folder', ['d.ts', 'src/package.json']],
  ['all', ['src/package.json']],
])('edits, with the breadth %s, by any tool that edits', async (breadth, stillAsked) => {
  await using all = await remembering(breadth, { 'src/a.ts': 'a\n' });
  const { bench } = all.bench;
  const first = await bench.call('edit_file', { path: 'src/a.ts', old_string: 'a', new_string: 'b' });
  expect(codeOf(first)).toBe('completed');
  all.refuse();
  const found: string[] = [];
  for (const path of ['src/a.ts', 'src/b.ts', 'src/deep/c.ts', 'd.ts', 'src/package.json'])
    if (codeOf(await bench.call('write_file', { path, content: '{}\n' })) === 'REJECTED') found.push(path);
  expect(found).toEqual(stillAsked);
  expect(codeOf(await bench.call('delete_file', { path: 'src/a.ts' }))).toBe('REJECTED');
});

test('a breadth that is not offered, or for a refusal, is an error and decides nothing', async () => {
  await using web = await webBench();
  const session = await web.newSession();
  const { host } = web.http.bench;
  void runCall(host, {
    id: 'c',
    session,
    tool: 'run_command',
    args: { command: 'touch x' },
    dialect: 'codelab',
  });
  const live = await host.session(session);
  const id = await live.waitFor(() => {
    const state = live.openCalls.get('c');
    return state?.state === 'awaiting_approval' ? state.approval.id : undefined;
  }, AbortSignal.timeout(10_000));
  const decide = (decision: unknown): ReturnType<typeof web.ask> =>
    web.ask('POST', `/sessions/${session}/decisions`, { approval_id: id, decision });
  for (const [kind, breadth] of [
    ['approve', 'folder'],
    ['reject', 'program'],
    ['approve', 'everything'],
  ])
    expect((await decide({ kind, remember: { scope: 'session', breadth } })).status).toBe(400);
  expect((await decide({ kind: 'approve', remember: { scope: 'session', breadth: 'program' } })).status).toBe(
    200,
  );
});
