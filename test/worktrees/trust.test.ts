// Whose rules hold in a worktree: those of the workspace it was made from. What the user trusted counts there only while the checked-out
// configuration is the very text they trusted.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setInstructionTrust, setTrust } from '../../apps/server/src/config/trust.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { logUntil } from '../support/web-api.ts';
import { type WorktreeBench, worktreeBench } from '../support/worktree-bench.ts';

const rules = [
  { id: 'free', effect: 'allow', tool: 'write_file', path: 'free.txt', reason: 'free' },
  { id: 'never', effect: 'deny', tool: 'write_file', path: 'never.txt', reason: 'never' },
];
const config = JSON.stringify({ policy: { rules } });

function writeConfig(folder: string, text: string): void {
  mkdirSync(join(folder, '.codelab'), { recursive: true });
  writeFileSync(join(folder, '.codelab', 'config.json'), text);
}

async function verdicts(work: WorktreeBench, session: string): Promise<unknown[]> {
  const calls = ['free.txt', 'never.txt', 'other.txt'].map(async (path) => {
    const body = { tool: 'write_file', args: { path, content: 'x' }, session_id: session };
    return (await work.ask('/policy/check', 'POST', body))[1].verdict;
  });
  return await Promise.all(calls);
}

async function opened(work: WorktreeBench): Promise<{ own: string; main: string; path: string }> {
  const { id: worktreeId, path } = await work.session('one');
  return { own: worktreeId, path, main: (await work.session()).id };
}

test('rules of a trusted workspace hold in its worktree while the configuration is the same text', async () => {
  await using work = await worktreeBench({ mode: 'balanced', prepare: (root) => writeConfig(root, config) });
  await setTrust(work.bench.home, work.bench.root, config);
  const { own, main, path } = await opened(work);
  expect(await verdicts(work, main)).toEqual(['allow', 'deny', 'ask']);
  expect(await verdicts(work, own)).toEqual(['allow', 'deny', 'ask']);
  // The worktree may tighten; nothing that loosens counts any more, of its own text or of the trusted one.
  const other = { id: 'other', effect: 'deny', tool: 'write_file', path: 'other.txt', reason: 'other' };
  const all = { id: 'all', effect: 'allow', tool: 'write_file', reason: 'all' };
  writeConfig(path, JSON.stringify({ policy: { mode: 'trusted', rules: [other, all] } }));
  expect(await verdicts(work, own)).toEqual(['ask', 'deny', 'deny']);
  expect(await verdicts(work, main)).toEqual(['allow', 'deny', 'ask']);
  writeConfig(path, 'no JSON at all');
  expect(await verdicts(work, own)).toEqual(['ask', 'deny', 'deny']);
});

test('a configuration that the workspace has and the worktree has not loosens nothing, and its denials hold', async () => {
  await using work = await worktreeBench({ mode: 'balanced' });
  writeConfig(work.bench.root, config);
  await setTrust(work.bench.home, work.bench.root, config);
  await work.bench.restart();
  const { own, main } = await opened(work);
  expect(await verdicts(work, main)).toEqual(['allow', 'deny', 'ask']);
  expect(await verdicts(work, own)).toEqual(['ask', 'deny', 'ask']);
});

test('a rule that is kept for the workspace holds in its worktrees, at once', async () => {
  await using work = await worktreeBench({ mode: 'balanced' });
  const { own } = await opened(work);
  expect(await verdicts(work, own)).toEqual(['ask', 'ask', 'ask']);
  for (const rule of rules)
    expect((await work.ask('/policy/rules', 'POST', { rule, scope: 'workspace' }))[0]).toBe(201);
  expect(await verdicts(work, own)).toEqual(['allow', 'deny', 'ask']);
});

test('instructions of a workspace whose instructions are trusted are told in its worktree', async () => {
  const script = scriptedModel([{ text: 'Hello.' }]);
  await using work = await worktreeBench({ script, files: { 'AGENTS.md': 'Say please.\n' } });
  await setInstructionTrust(work.bench.home, work.bench.root, 'trusted');
  const { own, path } = await opened(work);
  await work.ask(`/sessions/${own}/messages`, 'POST', { content: 'Hello?' });
  await logUntil(work.bench, own, ({ type }) => type === 'turn.ended');
  const requestText = JSON.stringify(script.requests[0]);
  expect(requestText).toContain('Say please.');
  expect(requestText).toContain(path);
  expect(requestText).toContain('codelab/one');
});
