import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose } from '@codelab/server';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';

test.each([
  [undefined, undefined, 'auto'],
  ['off', undefined, 'off'],
  ['required', undefined, 'required'],
  // A workspace nobody has trusted may tighten, not loosen.
  [undefined, 'off', 'auto'],
  ['required', 'off', 'required'],
  ['off', 'required', 'required'],
])('the user says %s, the workspace %s: the sandbox is %s', async (user, workspace, expected) => {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.root, '.codelab'));
  if (user) writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ sandbox: user }));
  if (workspace)
    writeFileSync(join(scratch.root, '.codelab', 'config.json'), JSON.stringify({ sandbox: workspace }));
  await using composed = await compose({ workspace: scratch.root, home: scratch.home, env: {} });
  expect(composed.host.sandbox).toBe(expected);
});

test.each(['PATH', 'LD_PRELOAD', 'GIT_DIR', 'codelab_token', 'CODELAB_*', 'BASH_ENV', 'A B', '*', ''])(
  'nobody adds %j to the environment of commands',
  async (name) => {
    using scratch = scratchFolder();
    writeFileSync(join(scratch.home, 'config.json'), JSON.stringify({ environment: [name] }));
    await expect(compose({ workspace: scratch.root, home: scratch.home, env: {} })).rejects.toThrow(
      'environment',
    );
  },
);

test('only the user’s own file shows commands more folders, and says how much they may take', async () => {
  using scratch = scratchFolder();
  mkdirSync(join(scratch.root, '.codelab'));
  const user = {
    sandbox_shows: ['/data', '~/models'],
    environment: ['MY_FLAG'],
    limits: { processes: 7, memory_mb: 2, cpu_seconds: 3 },
  };
  writeFileSync(join(scratch.home, 'config.json'), JSON.stringify(user));
  const ownConfig = JSON.stringify({
    sandbox_shows: ['/'],
    environment: ['NPM_TOKEN'],
    limits: { processes: 1_000_000 },
  });
  writeFileSync(join(scratch.root, '.codelab', 'config.json'), ownConfig);
  await using composed = await compose({ workspace: scratch.root, home: scratch.home, env: {} });
  expect(composed.host.shows).toEqual(['/data', '~/models']);
  expect(composed.host.environment).toEqual(['MY_FLAG']);
  expect(composed.host.limits('codelab')).toMatchObject({
    processes: 7,
    memoryBytes: 2 * 1024 * 1024,
    cpuMs: 3000,
  });
});
