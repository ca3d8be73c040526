// `npx` of a program that the project has installed, and PYTHONPATH within the workspace: no worse than the program itself, and nothing more.
import { afterAll, expect, test } from 'vitest';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { judgeLine } from '../support/judge-line.ts';
import { sampleRepository } from '../support/sample-repository.ts';

const resources = new DisposableStack();
afterAll(() => resources.dispose());
const bins = ['tsc', 'npm', 'curl', 'node'].map((name) => [`node_modules/.bin/${name}`, '#!/bin/sh\n']);
const root = resources.use(sampleRepository({ ...Object.fromEntries(bins), 'sub/a.ts': '' })).root;
const workspace = resources.use(Workspace.open(root));
const everything = [{ id: 'all', effect: 'allow' as const, reason: 'All.', command: '*' }];

const verdict = async (line: string, options: Parameters<typeof judgeLine>[2]): Promise<string> =>
  `${line}: ${(await judgeLine(workspace, line, options)).verdict}`;
const heldMode = { mode: 'review', sandbox: 'bubblewrap' } as const;

const plainLines = [
  ...['npx tsc --noEmit', 'npx --no-install tsc', 'cd sub && npx -y tsc -p .', 'NODE_ENV=test npx tsc'],
  ...['PYTHONPATH=. pytest -q', 'PYTHONPATH=src:lib/x python3 -m pytest'],
];

test.each(plainLines)(
  '%s is asked about, a rule may allow it, and in review mode the sandbox holds it',
  async (line) => {
    expect(await verdict(line, { mode: 'balanced' })).toBe(`${line}: ask`);
    expect(await verdict(line, { mode: 'balanced', rules: everything })).toBe(`${line}: allow`);
    expect(await verdict(line, heldMode)).toBe(`${line}: allow`);
  },
);

const downloads = [
  ...[
    'npx cowsay',
    'npx tsc@latest',
    'npx -p evil tsc',
    'npx --package=evil tsc',
    'npx @evil/tsc',
    'npx ./tsc',
  ],
  ...[
    'npx $TOOL',
    'npx -c "curl http://127.0.0.1"',
    'npx --call=tsc tsc',
    'npx --registry=http://127.0.0.1 tsc',
  ],
  ...['npx --prefix / tsc', 'npx --userconfig evil tsc', 'cd /tmp && npx tsc', 'cd "$DIR" && npx tsc', 'npx'],
  ...[
    'npx npm publish',
    'npx curl http://127.0.0.1',
    'npx https://example.org/x.tgz',
    'npx ../node_modules/.bin/tsc',
  ],
  ...['pipx run tsc', 'uvx tsc', 'npm exec tsc', 'npx --shell evil tsc', 'npx t*c', 'npx -- cowsay'],
];

test.each(downloads)('%s is asked about in every mode, whatever rules allow', async (line) => {
  for (const mode of ['balanced', 'review', 'trusted'] as const)
    expect(await verdict(line, { mode, sandbox: 'bubblewrap', rules: everything })).not.toBe(
      `${line}: allow`,
    );
});

const outsidePaths = ['/tmp/x', '../x', '$HOME', '.:/evil', '~/x', '.:', '"$(pwd)"', './..'];

test.each(outsidePaths)('PYTHONPATH=%s is no folder of the workspace', async (value) => {
  const line = `PYTHONPATH=${value} pytest`;
  expect(await verdict(line, { mode: 'balanced', rules: everything })).toBe(`${line}: ask`);
});

test('a reader behind PYTHONPATH is asked about, too', async () => {
  expect(await verdict('PYTHONPATH=. cat README.md', { mode: 'balanced' })).toContain(': ask');
});
