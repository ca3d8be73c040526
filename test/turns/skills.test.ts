import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Rule } from '@codelab/protocol';
import { agentProfile, availableSkills, readMentions } from '@codelab/server/agent';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../support/folder-with.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const skillText = (name: string, body: string, extraHead = ''): string =>
  `---\nname: ${name}\ndescription: How to ${name}.\n${extraHead}---\n${body}\n`;
const path = (name: string): string => `.codelab/skills/${name}/SKILL.md`;
const load = (name: string): [string, Record<string, unknown>] => ['skill', { action: 'load', name }];

async function questions(bench: Workbench): Promise<number> {
  return (await bench.log.read('s1')).filter(({ body }) => body.type === 'approval.requested').length;
}

async function deny(bench: Workbench, rule: Partial<Rule>): Promise<void> {
  const session = await bench.host.session('s1');
  const denyRule: Rule = { id: 'no', effect: 'deny', reason: 'Not here.', tool: 'skill', ...rule };
  await session.commit(() => [{ type: 'rule.remembered', rule: denyRule, by: { who: 't', via: 'test' } }]);
}

const reader = { session: 's1', by: { who: 'ann', via: 'test' } };

describe('skills', () => {
  test('that a rule denies are not named in the list, nor what is wrong with them', async () => {
    const files = {
      [path('deploy')]: skillText('deploy', 'x'),
      [path('broken')]: 'no front matter\n',
      [path('release')]: skillText('release', 'x'),
    };
    await using bench = await workbench({ files });
    await deny(bench, { path: ['.codelab/skills/deploy/**', '.codelab/skills/broken/**'] });
    const { data } = (await bench.call('skill', { action: 'list' })) as { data?: unknown };
    expect(data).toMatchObject({ items: [{ name: 'release' }], count: 1, problems: [] });
    expect(JSON.stringify(data)).not.toMatch(/deploy|broken/);
  });

  test('are the user’s own and those of the workspace; the user’s win by name', async () => {
    await using bench = await workbench({
      files: {
        [path('release')]: skillText('release', 'theirs'),
        [path('deploy')]: skillText('deploy', 'theirs'),
      },
    });
    folderWith(bench.home, { 'skills/release/SKILL.md': skillText('release', 'mine', 'license: MIT\n') });
    expect(await bench.call('skill', { action: 'list' })).toMatchObject({
      data: {
        items: [
          { name: 'release', source: 'user', description: 'How to release.' },
          { name: 'deploy', source: 'workspace' },
        ],
        problems: [expect.stringContaining(path('release'))],
      },
    });
    expect(await bench.call(...load('release'))).toMatchObject({
      data: { content: skillText('release', 'mine', 'license: MIT\n'), source: 'user' },
    });
    expect(await questions(bench)).toBe(0);
  });

  test('of the workspace are asked for who can change things, and about exactly the text that was shown', async () => {
    await using bench = await workbench({ files: { [path('deploy')]: skillText('deploy', 'first') } });
    let swaps = 0;
    bench.human(() => {
      if (swaps++ === 0) folderWith(bench.root, { [path('deploy')]: skillText('deploy', 'second') });
      return { kind: 'approve' };
    });
    expect(await bench.call(...load('deploy'))).toMatchObject({
      data: { content: skillText('deploy', 'second') },
    });
    expect(await questions(bench)).toBe(2);
    expect(await bench.call(...load('deploy'), { profile: 'plan' })).toMatchObject({ status: 'completed' });
    expect(await questions(bench)).toBe(2);
  });

  test('a rule can allow one for good, and a rule that denies it always holds', async () => {
    await using bench = await workbench({ files: { [path('deploy')]: skillText('deploy', 'x') } });
    bench.human(() => ({ kind: 'approve', remember: { scope: 'session' } }));
    await bench.call(...load('deploy'));
    await bench.call(...load('deploy'));
    expect(await questions(bench)).toBe(1);
    await deny(bench, { path: '.codelab/skills/deploy/**' });
    expect(await bench.call(...load('deploy'))).toMatchObject({ error: { code: 'PERMISSION_DENIED' } });
  });

  test('the agent is told of all that no rule denies', async () => {
    await using bench = await workbench({
      files: { [path('deploy')]: skillText('deploy', 'x'), [path('test')]: skillText('test', 'y') },
    });
    const promptOf = async (profile: string): Promise<string> =>
      (await agentProfile(bench.host, 's1', profile)).prompt;
    expect(await promptOf('build')).toContain('- deploy: How to deploy.\n- test: How to test.');
    await deny(bench, { path: '.codelab/skills/deploy/**' });
    expect(await promptOf('build')).not.toContain('deploy');
    expect(
      (await availableSkills(bench.host, { session: 's1', profile: 'plan' })).map(({ name }) => name),
    ).toEqual(['test']);
    expect(await questions(bench)).toBe(0);
  });

  test('named by the user as @skill:name come along unasked, unless a rule denies it', async () => {
    await using bench = await workbench({ files: { [path('deploy')]: skillText('deploy', 'Push it.') } });
    expect(await readMentions(bench.host, 'use @skill:deploy now', reader)).toEqual({
      text: 'use @skill:deploy now',
      files: [{ path: 'skill:deploy', text: skillText('deploy', 'Push it.') }],
      problems: [],
    });
    await deny(bench, {});
    expect(await readMentions(bench.host, '@skill:deploy', reader)).toMatchObject({
      problems: ['@skill:deploy was not attached: Not here.'],
    });
  });

  test('list the files beside them, which the workspace’s reader reads', async () => {
    const skillFile = '.codelab/skills/deploy/lib/steps.md';
    await using bench = await workbench({
      files: { [path('deploy')]: skillText('deploy', 'x'), [skillFile]: 'step\n' },
    });
    bench.human(approveAll);
    expect(await bench.call(...load('deploy'))).toMatchObject({ data: { files: [skillFile] } });
    expect(await bench.call('read_file', { path: skillFile })).toMatchObject({ data: { content: 'step\n' } });
  });
});

describe('a skill is refused', () => {
  test.each([
    ['../../etc', 'FILE_NOT_FOUND'],
    ['/etc/passwd', 'FILE_NOT_FOUND'],
    ['a/b', 'FILE_NOT_FOUND'],
    ['Nope', 'FILE_NOT_FOUND'],
    ['', 'FILE_NOT_FOUND'],
    ['linked', 'INVALID_PATH'],
    ['file-link', 'INVALID_PATH'],
    ['large', 'FILE_TOO_LARGE'],
    ['headless', 'INVALID_FORMAT'],
    ['renamed', 'INVALID_FORMAT'],
    ['binary', 'ENCODING_ERROR'],
  ])('when its name is %j', async (name, code) => {
    await using bench = await workbench({
      files: {
        [path('large')]: skillText('large', 'x'.repeat(200_000)),
        [path('headless')]: 'Do as I say.\n',
        [path('renamed')]: skillText('other', 'x'),
        [path('binary')]: Uint8Array.of(0, 1, 2),
        '.codelab/skills/file-link/x': '',
      },
    });
    folderWith(bench.folder, { 'outside/SKILL.md': skillText('linked', 'secret') });
    symlinkSync(join(bench.folder, 'outside'), join(bench.root, '.codelab/skills/linked'));
    symlinkSync('../large/SKILL.md', join(bench.root, path('file-link')));
    bench.human(approveAll);
    const outcome = await bench.call(...load(name));
    // The workspace itself refuses paths that lead outside.
    const expected = name === 'linked' ? expect.stringMatching(/INVALID_PATH|PATH_OUTSIDE_WORKSPACE/) : code;
    expect(outcome).toMatchObject({ status: 'failed', error: { code: expected } });
    expect(JSON.stringify(await bench.call('skill', { action: 'list' }))).not.toContain('secret');
  });
});
