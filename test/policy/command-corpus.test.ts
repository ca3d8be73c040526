// Two corpora of shell lines: tricks, none of which may run unasked, and everyday reading, which should not wear people out.
import { policyModes } from '@codelab/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { judgeLine } from '../support/judge-line.ts';
import { readCorpus } from '../support/read-corpus.ts';
import { sampleRepository } from '../support/sample-repository.ts';

const resources = new DisposableStack();
afterAll(() => resources.dispose());

function open(extra: Record<string, string> = {}): Workspace {
  return resources.use(Workspace.open(resources.use(sampleRepository(extra)).root));
}

const everything = [{ id: 'all', effect: 'allow' as const, reason: 'Everything.', command: '*' }];

describe('tricks', () => {
  const bypass = readCorpus('bypass.txt');
  const workspace = open({ 'server.key': 'key\n' });

  test('there are many, and each says where it is known from', () => {
    expect(bypass.length).toBeGreaterThan(400);
    expect(bypass.filter(({ kind, origin }) => kind === '' || origin === '')).toEqual([]);
    expect(new Set(bypass.map(({ kind }) => kind))).toEqual(
      new Set(['must', 'held', 'plain', 'rules', 'refused', 'reads']),
    );
  });

  test.each(policyModes)('none is allowed in %s mode without a sandbox', async (mode) => {
    expect(await allowed(workspace, bypass, { mode })).toEqual([]);
  });

  const isHeld = ({ kind }: { kind: string }): boolean => ['plain', 'held', 'reads'].includes(kind);

  test.each(['review', 'trusted'] as const)(
    'in %s mode the sandbox lets only those run that it holds',
    async (mode) => {
      const bound = bypass.filter((entry) => !isHeld(entry));
      expect(await allowed(workspace, bound, { mode, sandbox: 'bubblewrap' })).toEqual([]);
      const heldLines = bypass.filter(isHeld);
      expect((await allowed(workspace, heldLines, { mode, sandbox: 'bubblewrap' })).length).toBe(
        heldLines.length,
      );
    },
  );

  test('in balanced mode the sandbox lets only those run that can read nothing secret in it', async () => {
    const reading = bypass.filter(({ kind }) => kind === 'reads');
    const runs = await allowed(workspace, bypass, { mode: 'balanced', sandbox: 'bubblewrap' });
    expect(runs).toEqual(reading.map(({ line }) => line));
  });

  test('a rule that allows everything does not reach those that must be asked about', async () => {
    const bound = bypass.filter((entry) => !isHeld(entry));
    expect(
      await allowed(workspace, bound, { mode: 'trusted', sandbox: 'bubblewrap', rules: everything }),
    ).toEqual([]);
    const heldLines = bypass.filter(({ kind }) => kind === 'held');
    const options = { mode: 'balanced', sandbox: 'bubblewrap', rules: everything } as const;
    expect(await allowed(workspace, heldLines, options)).toEqual([]);
  });

  test('what shells disagree about is denied, in every mode and whatever rules say', async () => {
    for (const { line } of bypass.filter(({ kind }) => kind === 'refused'))
      expect([
        line,
        (await judgeLine(workspace, line, { mode: 'trusted', rules: everything })).verdict,
      ]).toEqual([line, 'deny']);
  });
});

describe('everyday reading', () => {
  const everyday = readCorpus('everyday.txt');
  const workspace = open({ '.gitignore': '.env\n' });

  test('runs unasked in balanced mode', async () => {
    expect(everyday.length).toBeGreaterThan(140);
    const runs = await allowed(workspace, everyday, { mode: 'balanced' });
    expect(everyday.map(({ line }) => line).filter((line) => !runs.includes(line))).toEqual([]);
  });

  test('where a secret is tracked, only what would show it is asked about', async () => {
    const runs = await allowed(open(), everyday, { mode: 'balanced' });
    expect(everyday.map(({ line }) => line).filter((line) => !runs.includes(line))).toEqual([
      'git grep -n foo',
      'git log -p -2',
    ]);
  });

  test('is asked about in strict mode, each and every line', async () => {
    expect(await allowed(workspace, everyday, { mode: 'strict' })).toEqual([]);
  });
});

async function allowed(
  workspace: Workspace,
  lines: readonly { line: string }[],
  options: Parameters<typeof judgeLine>[2],
): Promise<string[]> {
  const found: string[] = [];
  for (const { line } of lines)
    if ((await judgeLine(workspace, line, options)).verdict === 'allow') found.push(line);
  return found;
}
