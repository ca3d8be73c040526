import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { buildProfile, catalogue, createRegistry, type Profile, showsTool } from '@codelab/runtime';
import { describe, expect, test } from 'vitest';
import { profilesIn } from '../support/profiles-in.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const reading = ['read', 'search', 'ask', 'think'];
function codeOf(outcome: Outcome): string {
  return outcome.status === 'completed' ? 'completed' : outcome.error.code;
}

async function trying(bench: Workbench, profile: string, calls: [string, Record<string, unknown>][]) {
  const codes: string[] = [];
  for (const [tool, args] of calls) codes.push(codeOf(await bench.call(tool, args, { profile })));
  return codes;
}

describe('the profiles that come with the program', () => {
  test('are these, with prompts, and the usual one is what the runtime knows without reading it', async () => {
    using source = profilesIn({});
    const all = await source.all();
    expect(all.map(({ name, mode, kinds }) => [name, mode, kinds.length]).sort()).toEqual([
      ['architect', 'primary', 7],
      ['ask', 'primary', 4],
      ['build', 'primary', 8],
      ['debug', 'primary', 5],
      ['explore', 'subagent', 2],
      ['general', 'subagent', 8],
      ['plan', 'primary', 4],
    ]);
    for (const { prompt, summary } of all) {
      expect(prompt.length).toBeGreaterThan(200);
      expect(summary).not.toBe('');
    }
    const { prompt: _, ...role } = await source.role('build');
    expect(role).toEqual(buildProfile);
  });

  test('name no tool: an agent knows tools only by what it is offered', async () => {
    using source = profilesIn({});
    const names = catalogue.map(({ name }) => name).filter((name) => /[_.]|todo/.test(name));
    for (const { prompt } of await source.all()) for (const name of names) expect(prompt).not.toContain(name);
  });

  test('hide what their role has no business with', async () => {
    using source = profilesIn({});
    const kindsOf = async (name: string): Promise<string[]> => {
      const roles = await source.find(name);
      return [...new Set(catalogue.filter((tool) => showsTool(roles, tool)).map(({ kind }) => kind))].sort();
    };
    const inOrder = [...reading].sort();
    expect(await kindsOf('plan')).toEqual(inOrder);
    expect(await kindsOf('ask')).toEqual(inOrder);
    expect(await kindsOf('architect')).toEqual([...reading, 'edit', 'delete', 'move'].sort());
    expect(await kindsOf('debug')).toEqual([...reading, 'execute'].sort());
    expect(await kindsOf('explore')).toEqual(['read', 'search']);
  });
});

describe('what a profile hides', () => {
  test('is not there, not even by its name', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a\n' }, mode: 'trusted' });
    bench.human(approveAll);
    const changing: [string, Record<string, unknown>][] = [
      ['write_file', { path: 'b.txt', content: 'b' }],
      ['edit_file', { path: 'a.txt', old_string: 'a', new_string: 'b' }],
      ['delete_file', { path: 'a.txt' }],
      ['move_file', { from: 'a.txt', to: 'c.txt' }],
      ['run_command', { command: 'touch d.txt' }],
      ['undo', {}],
    ];
    const hidden = changing.map(() => 'TOOL_NOT_FOUND');
    expect(await trying(bench, 'plan', changing)).toEqual(hidden);
    expect(await trying(bench, 'ask', changing)).toEqual(hidden);
    expect(await trying(bench, 'explore', [...changing, ['todowrite', { todos: [] }]])).toEqual([
      ...hidden,
      'TOOL_NOT_FOUND',
    ]);
    expect(await trying(bench, 'debug', changing.toSpliced(4, 1))).toEqual(hidden.slice(1));
    expect(await trying(bench, 'architect', [['run_command', { command: 'true' }]])).toEqual([
      'TOOL_NOT_FOUND',
    ]);
    expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('a\n');
  });

  test('stays hidden whatever a human says: no approval, no edit of the call brings it back', async () => {
    await using bench = await workbench({ files: { 'a.md': 'a\n' } });
    bench.human(() => ({ kind: 'edit', args: { path: 'evil.ts', content: 'x' } }));
    const outcome = await bench.call('write_file', { path: 'b.md', content: 'b' }, { profile: 'architect' });
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'PERMISSION_DENIED' } });
  });

  test('an unknown profile shows nothing at all', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a\n' } });
    expect(await bench.call('read_file', { path: 'a.txt' }, { profile: 'king' })).toMatchObject({
      error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('There is no profile "king"') },
    });
    expect(showsTool([], { name: 'read_file', kind: 'read' })).toBe(false);
  });
});

describe('a profile that may write only some paths', () => {
  test('changes those and nothing else, by whatever tool', async () => {
    const files = { 'a.md': 'a\n', 'b.ts': 'b\n', 'docs/c.md': 'c\n', 'docs/d.ts': 'd\n' };
    await using bench = await workbench({ files, mode: 'trusted' });
    bench.human(approveAll);
    symlinkSync('b.ts', join(bench.root, 'link.md'));
    expect(
      await trying(bench, 'architect', [
        ['write_file', { path: 'new/deep/x.md', content: 'x\n' }],
        ['edit_file', { path: 'a.md', old_string: 'a', new_string: 'aa' }],
        ['move_file', { from: 'a.md', to: 'docs/a.md' }],
        ['delete_file', { path: 'docs/c.md' }],
        ['undo', {}],
      ]),
    ).toEqual(['completed', 'completed', 'completed', 'completed', 'completed']);
    const patch = '--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-b\n+B\n';
    expect(
      await trying(bench, 'architect', [
        ['write_file', { path: 'x.ts', content: 'x' }],
        ['write_file', { path: 'link.md', content: 'x' }],
        ['write_file', { path: 'x.md.ts', content: 'x' }],
        ['edit_file', { path: 'b.ts', old_string: 'b', new_string: 'c' }],
        ['apply_patch', { diff: patch }],
        ['move_file', { from: 'b.ts', to: 'b.md' }],
        ['move_file', { from: 'docs/a.md', to: 'docs/a.ts' }],
        ['delete_file', { path: 'b.ts' }],
        ['delete_file', { path: 'docs', recursive: true }],
        ['create_directory', { path: 'made' }],
      ]),
    ).toEqual(Array.from({ length: 10 }, () => 'PERMISSION_DENIED'));
    expect(readFileSync(join(bench.root, 'b.ts'), 'utf8')).toBe('b\n');
    expect(readFileSync(join(bench.root, 'docs/d.ts'), 'utf8')).toBe('d\n');
  });

  test('can’t take back what others changed elsewhere', async () => {
    await using bench = await workbench({ files: { 'b.ts': 'b\n' }, mode: 'trusted' });
    await bench.call('write_file', { path: 'b.ts', content: 'changed\n' });
    expect(await trying(bench, 'architect', [['undo', {}]])).toEqual(['PERMISSION_DENIED']);
    expect(readFileSync(join(bench.root, 'b.ts'), 'utf8')).toBe('changed\n');
  });

  test('says so before anybody is asked', async () => {
    await using bench = await workbench({ files: {} });
    const registry = await createRegistry(bench.host, {
      session: 's1',
      dialect: 'codelab',
      profile: 'architect',
    });
    const { verdict } = await registry.approvalRequest('write_file', { path: 'x.ts', content: '' });
    expect(verdict).toMatchObject({ verdict: 'deny', rule: 'profile:architect' });
    expect(verdict.reason).toContain('**/*.md');
  });
});

test('roles that hold together show what each of them shows', () => {
  const narrow: Profile = { ...buildProfile, name: 'narrow', kinds: ['read', 'edit'], writes: ['docs'] };
  const tool = { name: 'edit_file', kind: 'edit' as const };
  expect([showsTool([buildProfile], tool), showsTool([buildProfile, narrow], tool)]).toEqual([true, true]);
  expect(showsTool([buildProfile, { ...narrow, kinds: ['read'] }], tool)).toBe(false);
  expect(showsTool([{ ...buildProfile, writes: ['docs'] }], { name: 'run_command', kind: 'execute' })).toBe(
    false,
  );
});
