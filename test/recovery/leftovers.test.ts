import { chmodSync, chownSync, existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { codeOf } from '../support/code-of.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { treeState } from '../support/tree-state.ts';
import { workbench } from '../support/workbench.ts';

/** Names that something unfinished would have. */
function litterIn(folder: string): string[] {
  return Object.keys(treeState(folder)).filter((path) => /^journal\/.|\.(tmp|new)$/.test(path));
}

test.each(['a.txt', 'twin.txt', 'd/new.txt'])(
  'a write of %s that is cancelled leaves nothing behind',
  async (path) => {
    using scratch = scratchFolder({ files: { 'a.txt': 'old\n', 'twin.txt': 'old\n' } });
    linkSync(join(scratch.root, 'twin.txt'), join(scratch.root, 'other.txt'));
    const before = treeState(scratch.root);
    await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
    const tools = [...bench.host.tools].map(([name, tool]): [string, typeof tool] => [
      name,
      // Cancelled as late as can be: the tool has started.
      {
        ...tool,
        run: (input, prepared, context) =>
          tool.run(input, prepared, { ...context, signal: AbortSignal.abort() }),
      },
    ]);
    bench.host = { ...bench.host, tools: new Map(tools) };
    expect((await bench.call('write_file', { path, content: 'new\n' })).status).toBe('cancelled');
    expect(treeState(scratch.root)).toEqual(before);
    expect(litterIn(scratch.home)).toEqual([]);
  },
);

test.each(['', '{', 'null', '{"owner":{}}', '\0\0\0'])(
  'a damaged journal (%j) does not keep the program from starting',
  async (text) => {
    using scratch = scratchFolder({ files: { 'a.txt': 'old\n' } });
    mkdirSync(join(scratch.home, 'journal'));
    for (const name of ['one.json', 'two.redo', 'three.json.new'])
      writeFileSync(join(scratch.home, 'journal', name), text);
    await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
    expect(codeOf(await bench.call('write_file', { path: 'a.txt', content: 'new\n' }))).toBe('completed');
  },
);

test.runIf(isRoot)('something old in the quarantine that resists does not make a deletion fail', () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'old\n' }, owner: 65534 });
  const item = join(scratch.home, 'trash', '1-abc', 'item', 'closed');
  mkdirSync(item, { recursive: true });
  writeFileSync(join(item, 'x'), 'x');
  for (const path of ['', '1-abc', '1-abc/item']) chownSync(join(scratch.home, 'trash', path), 65534, 65534);
  chmodSync(item, 0o500);
  const calls = [{ tool: 'delete_file', args: { path: 'a.txt' } }];
  const { outcomes } = callsInChild({ folder: scratch.folder, calls, wrapper: asNobody });
  expect(outcomes.map(codeOf)).toEqual(['completed']);
  expect(existsSync(join(scratch.root, 'a.txt'))).toBe(false);
});

test('a write into new folders that fails takes only its own folders away', async () => {
  using scratch = scratchFolder();
  await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
  const { lock } = bench.host;
  const busy: typeof lock = {
    hold() {
      // One of the folders is in use at that moment.
      writeFileSync(join(scratch.root, 'one', 'theirs.txt'), 'theirs');
      throw Object.assign(new Error('the disk is gone'), { code: 'EIO' });
    },
    [Symbol.dispose]: () => undefined,
  };
  bench.host = { ...bench.host, lock: busy };
  const outcome = await bench.call('write_file', { path: 'one/two/three/a.txt', content: 'x' });
  expect(codeOf(outcome)).toBe('IO_ERROR');
  expect(Object.keys(treeState(scratch.root))).toEqual(['.', 'one', 'one/theirs.txt']);
});
