// Attacks on the files with rules: what stands in their place, who else may write them, and what happens between looking and trusting.
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRegistry } from '@codelab/runtime';
import { compose, setTrust } from '@codelab/server';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { codelabProgram } from '../support/codelab-program.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const isRoot = process.geteuid?.() === 0;
const nobodyUid = 65_534;

const rules = [
  { id: 'kept', effect: 'deny', reason: 'Ours.', path: 'keep/**', access: ['write', 'create'] },
  { id: 'free', effect: 'allow', reason: 'Free.', tool: 'write_file' },
];
const spellings: readonly (readonly [string, object])[] = [
  ['config.json', { policy: { rules } }],
  ['rules.json', { user: rules, workspaces: {} }],
];

/** The verdicts on two calls: one that a rule denies, and one that a rule allows. */
async function verdicts({ host }: Workbench): Promise<string[]> {
  const registry = await createRegistry(host, { session: 'look', dialect: 'codelab' });
  const found: string[] = [];
  for (const path of ['keep/a.txt', 'b.txt'])
    found.push((await registry.approvalRequest('write_file', { path, content: '' })).verdict.verdict);
  return found;
}

describe.each(spellings)('%s', (name, content) => {
  test.each([
    ['a link that leads nowhere', (file: string) => symlinkSync('/nowhere/at/all', file)],
    ['a link to itself', (file: string) => symlinkSync(file, file)],
    ['a pipe that nobody writes to', (file: string) => void execFileSync('mkfifo', [file])],
    ['a folder', (file: string) => mkdirSync(file)],
  ])('with %s in its place, denies what it denied and allows nothing', async (_what, putInPlace) => {
    using scratch = scratchFolder({ files: { 'keep/a.txt': '', 'b.txt': '' } });
    const file = join(scratch.home, name);
    writeFileSync(file, JSON.stringify(content));
    await using bench = await workbench({ folder: scratch.folder });
    expect(await verdicts(bench)).toEqual(['deny', 'allow']);
    rmSync(file);
    putInPlace(file);
    expect(await verdicts(bench)).toEqual(['deny', 'ask']);
  });

  test('that is a link into the workspace is refused, since tools could write it', async () => {
    using scratch = scratchFolder({ files: { 'settings.json': JSON.stringify(content) } });
    symlinkSync(join(scratch.root, 'settings.json'), join(scratch.home, name));
    await expect(compose({ workspace: scratch.root, home: scratch.home, env: {} })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: expect.stringContaining('is a link'),
    });
  });

  test.skipIf(!isRoot)('that belongs to another user is refused', async () => {
    using scratch = scratchFolder({ owner: nobodyUid });
    const file = join(scratch.home, name);
    writeFileSync(file, JSON.stringify(content));
    const output = await asNobody(scratch);
    expect(output).toContain('"ok":true');
    chownSync(file, nobodyUid - 1, nobodyUid - 1);
    expect(await asNobody(scratch)).toContain('belongs to another user');
  });
});

/** The output of `codelab policy list` for a user who is not root. */
async function asNobody({ root, home }: { root: string; home: string }): Promise<string> {
  const command = [process.execPath, codelabProgram, 'policy', 'list', '--workspace', root, '--json'];
  const ids = [`--reuid=${nobodyUid}`, `--regid=${nobodyUid}`, '--clear-groups'];
  const env = { PATH: process.env.PATH, CODELAB_HOME: home, CODELAB_KEYS: join(home, '..', 'keys') };
  return await promisify(execFile)('setpriv', [...ids, ...command], { env }).then(
    ({ stdout }) => `"ok":true ${stdout}`,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}

test('a rule about a file speaks of every name it has in the workspace', async () => {
  using scratch = scratchFolder({ files: { 'keep/a.txt': 'kept', 'package.json': '{}' } });
  const { root, home } = scratch;
  linkSync(join(root, 'keep/a.txt'), join(root, 'twin.txt'));
  linkSync(join(root, 'package.json'), join(root, 'notes.txt'));
  writeFileSync(join(home, 'config.json'), JSON.stringify({ policy: { rules } }));
  await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
  expect(codeOf(await bench.call('write_file', { path: 'twin.txt', content: 'evil' }))).toBe(
    'PERMISSION_DENIED',
  );
  expect(codeOf(await bench.call('run_command', { command: 'echo evil > twin.txt' }))).toBe(
    'PERMISSION_DENIED',
  );
  expect(readFileSync(join(root, 'keep/a.txt'), 'utf8')).toBe('kept');
  const registry = await createRegistry(bench.host, { session: 'look', dialect: 'codelab' });
  const { verdict, plan } = await registry.approvalRequest('write_file', { path: 'notes.txt', content: '' });
  expect(verdict).toMatchObject({ verdict: 'ask', rule: 'protected-files' });
  expect(plan.notes).toContain('notes.txt is the same file as package.json (hard link).');
});

test('our own settings are not written by the short name that Windows gives their folder', async () => {
  await using bench = await workbench();
  bench.human(approveAll);
  const outcome = await bench.call('write_file', { path: 'CODELA~1/config.json', content: '{}' });
  expect(codeOf(outcome)).toBe('PERMISSION_DENIED');
});

test.each([0o777, 0o770])('a state folder that others may write to is refused (mode %i)', async (mode) => {
  using scratch = scratchFolder();
  chmodSync(scratch.home, mode);
  await expect(compose({ workspace: scratch.root, home: scratch.home, env: {} })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
    message: expect.stringContaining('chmod 700'),
  });
});

test('of rules that several processes keep at once, none is lost', async () => {
  using scratch = scratchFolder();
  const ids = ['one', 'two', 'three', 'four', 'five', 'six'];
  await Promise.all(
    ids.map((id) => {
      const rule = { id, effect: 'deny', reason: 'Never.', path: `${id}/**` };
      const words = ['policy', 'add', JSON.stringify(rule), '--workspace', scratch.root];
      const env = { ...process.env, CODELAB_HOME: scratch.home };
      return promisify(execFile)(process.execPath, [codelabProgram, ...words], { env });
    }),
  );
  const storedRules = readFileSync(join(scratch.home, 'rules.json'), 'utf8');
  expect(ids.filter((id) => !storedRules.includes(`"${id}"`))).toEqual([]);
});

test('the text that was shown is trusted, not the one that stands there by then', async () => {
  using scratch = scratchFolder({ files: { '.codelab/config.json': '{"policy":{"mode":"trusted"}}' } });
  const { root, home } = scratch;
  const config = '{"policy":{"rules":[]}}';
  await setTrust(home, root, config);
  const modeNow = async (): Promise<string> => {
    await using composed = await compose({ workspace: root, home, env: {} });
    return `${composed.config.workspace} ${composed.config.mode}`;
  };
  expect(await modeNow()).toBe('untrusted strict');
  writeFileSync(join(root, '.codelab/config.json'), config);
  expect(await modeNow()).toBe('trusted strict');
});
