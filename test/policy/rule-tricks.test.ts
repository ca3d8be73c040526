// Spellings that try to get more done than a rule with any arguments was made for, and those that the rules are there for.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from '@codelab/protocol';
import { proposeBreadths } from '@codelab/runtime';
import { afterAll, expect, test } from 'vitest';
import { readLine } from '../../packages/runtime/src/policy/shell/read-line.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { judgeLine } from '../support/judge-line.ts';
import { readCorpus } from '../support/read-corpus.ts';
import { sampleRepository } from '../support/sample-repository.ts';

const files = [
  'evil/x',
  'evil/Makefile',
  'evil/tsconfig.json',
  'sub/n/.env',
  'node_modules/evil/.vscode/tasks.json',
  'tsconfig.json',
  'out/x',
  'a.txt',
  'scripts/x.js',
  'scripts/x.sh',
  'scripts/x.py',
  'scripts/deploy.sh',
  'node_modules/.bin/tsc',
  'node_modules/.bin/vitest',
];
const corpus = readCorpus('rules.txt');
const resources = new DisposableStack();
afterAll(() => resources.dispose());
const extraFiles = {
  ...Object.fromEntries(files.map((path) => [path, 'echo x\n'])),
  'packages/api/package.json': '{"name":"api","scripts":{"test":"true","evil":"true"}}\n',
  'packages/evil/package.json': '{"name":"evil","scripts":{"test":"true"}}\n',
};
const { root } = resources.use(sampleRepository(extraFiles));
symlinkSync('.git/hooks', join(root, 'link'));
symlinkSync('.env', join(root, 'secret-link'));
const workspace = resources.use(Workspace.open(root));

const plan = { summary: '', risk: 'low', riskReason: '', notes: [], basis: [] } as const;

/** The rules a person would have accepted: for each line any arguments, and all edits. */
async function accepted(): Promise<Rule[]> {
  const touches = [{ asked: 'src/a.ts', path: 'src/a.ts', access: 'write' as const }];
  const request = { tool: 'write_file', kind: 'edit' as const, args: {}, verdict: { parts: [] } };
  const edits = proposeBreadths({ ...request, plan: { ...plan, notes: [], basis: [], touches } });
  const rules = edits.filter(({ breadth }) => breadth === 'all').map(({ rule }) => rule);
  for (const { line } of corpus.filter(({ kind }) => kind === 'rule'))
    rules.push(...(await offeredRules(line)));
  return rules;
}

async function offeredRules(line: string): Promise<Rule[]> {
  const verdict = await judgeLine(workspace, line);
  const { parts, touches } = await readLine(line, { workspace, cwd: '' });
  const confinement = { sandbox: 'none', network: true } as const;
  const command = { line, cwd: '.', parts, confinement };
  const call = { tool: 'run_command', kind: 'execute', args: {}, verdict } as const;
  const breadths = proposeBreadths({ ...call, plan: { ...plan, notes: [], basis: [], touches, command } });
  return breadths.filter(({ breadth }) => breadth === 'program').map(({ rule }) => rule);
}

test('no trick is allowed by the rules that a person accepted, and what they are for is', async () => {
  const rules = await accepted();
  const without: string[] = [];
  for (const { line } of corpus.filter(({ kind }) => kind === 'rule'))
    if ((await offeredRules(line)).length === 0) without.push(line);
  // Always asked about, never asked about, bringing in files of another commit or folder, and writing whatever lies in an archive.
  expect(without).toEqual([
    'git push',
    'git switch main',
    'git merge topic',
    'git switch -c topic',
    'git rebase main',
    'git cherry-pick topic',
    'git stash push -m x',
    'git stash pop',
    'git mv a.txt b.txt',
    'git rm a.txt',
    'find . -name x',
    'cp -r src copy',
    'mv a.txt b.txt',
    'ln a.txt b.txt',
    'gcp -r a.txt b.txt',
    'jar xf a.jar',
    'unzip a.zip',
  ]);
  const wrong: string[] = [];
  for (const { line, kind } of corpus.filter((entry) => entry.kind !== 'rule')) {
    const { verdict } = await judgeLine(workspace, line, { rules });
    if ((verdict === 'allow') !== (kind === 'covered')) wrong.push(`${kind}: ${line}`);
  }
  expect(wrong).toEqual([]);
  expect(corpus.filter(({ kind }) => kind === 'trick').length).toBeGreaterThan(390);
});
