// What the VS Code extension runs calls with, bundled as the extension is, without the editor: a bundle lacks what only a module has.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as client from '@codelab/client/node';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { hostBundle } from '../../scripts/build-vscode.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

test('a call of each tool is checked and run by the bundled code', { timeout: 60_000 }, async () => {
  using folders = scratchFolder({ files: { 'a.txt': 'one\n' } });
  const outfile = join(folders.home, 'bundle.cjs');
  const entry = join(import.meta.dirname, '../../packages/client/src/node/index.ts');
  await build({ ...hostBundle, entryPoints: [entry], outfile });
  const { openLocalHost, runPluginCall, validateHere }: typeof client = createRequire(import.meta.url)(
    outfile,
  );
  await using host = await openLocalHost({
    root: folders.root,
    home: folders.home,
    onNotice: () => undefined,
  });
  const options = { host, session: 's', decide: () => Promise.resolve({ kind: 'approve' } as const) };
  const calls = {
    read_file: { path: 'a.txt' },
    write_file: { path: 'b.txt', content: 'two\n' },
    list_directory: { path: '.' },
    execute_command: { command: 'cat', args: ['b.txt'] },
  };
  for (const [tool, args] of Object.entries(calls)) {
    await validateHere(options)(tool, args);
    expect(await runPluginCall(options, { id: tool, tool, args })).toMatchObject({ status: 'success' });
  }
});
