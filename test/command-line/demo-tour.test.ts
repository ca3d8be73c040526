// The demo model at work with the real loop, the real tools and a real human's answers, over a copy of its sample workspace.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openModel, runTurn } from '@codelab/agent';
import type { Decision } from '@codelab/protocol';
import { openTurn } from '@codelab/server/agent';
import { describe, expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, type Human, type Workbench, workbench } from '../support/workbench.ts';

const sample = join(import.meta.dirname, '../..', 'examples', 'hello-shop');
const never = new AbortController().signal;

async function shop(human: Human): Promise<Workbench> {
  const bench = await workbench();
  cpSync(sample, bench.root, { recursive: true });
  bench.human(human);
  return bench;
}

async function sendMessages(bench: Workbench, ...texts: string[]): Promise<string> {
  const model = await openModel('demo', { env: {} });
  const { agent, talk } = await openTurn({
    host: bench.host,
    agents: bench.agents,
    session: 's1',
    openModel: async () => model,
    emit: () => undefined,
  });
  let last = '';
  for (const text of texts) {
    const result = await runTurn(agent, talk, { text }, never);
    expect(result.end).toBe('completed');
    last = result.text;
  }
  return last;
}

const cart = (bench: Workbench): string => readFileSync(join(bench.root, 'src/cart.js'), 'utf8');
const original = readFileSync(join(sample, 'src/cart.js'), 'utf8');

test('the tests of the sample fail as long as nobody fixes it', () => {
  expect(() => execFileSync(process.execPath, ['--test'], { cwd: sample, stdio: 'pipe' })).toThrow();
});

describe('the tour', () => {
  test('fixes the shop, and its tests pass', async () => {
    const approvals: number[] = [];
    await using bench = await shop((approval) => {
      approvals.push(approval.plan.diff?.hunks ?? 0);
      return { kind: 'approve' };
    });
    expect(await sendMessages(bench, 'demo')).toMatch(
      /The edit was made: .*3 replacements[\s\S]*The tests: all 7 pass\./,
    );
    expect(approvals[0], 'pieces to choose from').toBe(3);
    expect(cart(bench)).toContain('line.price * line.quantity');
    execFileSync(process.execPath, ['--test'], { cwd: bench.root });
    expect(await sendMessages(bench, 'undo')).toContain('Undid changes in 1 files');
    expect(cart(bench)).toBe(original);
  });

  test('says so when a human takes only some pieces: their tests still fail', async () => {
    const decisions: Decision[] = [{ kind: 'hunks', take: [1] }, { kind: 'approve' }];
    await using bench = await shop(() => decisions.shift());
    expect(await sendMessages(bench, 'demo')).toMatch(
      /took only some hunks[\s\S]*5 pass, \*\*2 still fail\*\*/,
    );
  });

  test('says so when a human refuses: nothing is changed and nothing is run', async () => {
    await using bench = await shop(() => ({ kind: 'reject', feedback: 'Not on a Friday.' }));
    const text = await sendMessages(bench, 'demo');
    expect(text).toMatch(/The edit was \*\*not\*\* made: .*Not on a Friday\./);
    expect(text).toContain('The tests were not run: nothing was changed.');
    expect(cart(bench)).toBe(original);
  });

  test('a second time it finds nothing to fix', async () => {
    await using bench = await shop(approveAll);
    expect(await sendMessages(bench, 'demo', 'again')).toMatch(/Nothing had to be edited[\s\S]*all 7 pass/);
  });

  test('elsewhere it says what it needs', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a\n' } });
    expect(await sendMessages(bench, 'Please fix everything')).toMatch(
      /could not read src\/cart\.js.*\n[\s\S]*hello-shop/,
    );
  });
});

test('plain requests drive the tools', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'one fish\n' } });
  bench.human(approveAll);
  expect(await sendMessages(bench, 'read a.txt')).toContain('one fish');
  expect(await sendMessages(bench, 'find fish')).toContain('a.txt:1');
  expect(await sendMessages(bench, 'replace "one fish" by "two fish" in a.txt')).toContain('1 replacements');
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('two fish\n');
  expect(await sendMessages(bench, 'run cat a.txt')).toContain('two fish');
  expect(await sendMessages(bench, 'undo')).toContain('Undid changes in 1 files');
  expect(await sendMessages(bench, 'list')).toContain('a.txt');
  expect(await sendMessages(bench, 'read b.txt')).toMatch(/did not work[\s\S]*b\.txt/);
  expect(await sendMessages(bench, 'call create_directory {"path": "new"}')).toContain('new');
});

test('`codelab demo` asks about the changed lines alone, and its record is whole', () => {
  using scratch = scratchFolder();
  const env = { ...process.env, CODELAB_HOME: join(scratch.folder, 'demo-home'), TMPDIR: scratch.folder };
  const text = execFileSync(process.execPath, [codelabProgram, 'demo'], {
    cwd: scratch.root,
    env,
  }).toString();
  expect(text).toContain('Change src/format.js (+3 −2 lines)');
  expect(text).toContain('Denied by the rule "git-internals"');
  expect(text).toMatch(/complete {2}\d+ entries, every hash matches/);
});
