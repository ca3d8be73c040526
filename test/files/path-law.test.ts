import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRegular, readWhole } from '../../packages/runtime/src/workspace/read-bytes.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { codeOf } from '../support/code-of.ts';
import { createTree, randomPath, randomTree } from '../support/random-tree.ts';
import { treeState } from '../support/tree-state.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const runs = 320;

/** A workspace and a folder beside it, in memory where there is such a place: the law is about paths, not about disks. */
function field(): Disposable & { folder: string; root: string; outside: string } {
  const folder = realpathSync(
    mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'codelab-law-')),
  );
  const [root, outside] = [join(folder, 'work'), join(folder, 'beside')];
  for (const path of [root, join(outside, 'd')]) mkdirSync(path, { recursive: true });
  writeFileSync(join(outside, 'secret.txt'), 'SENTINEL secret\n');
  writeFileSync(join(outside, 'd/deep.txt'), 'SENTINEL deep\n');
  return { folder, root, outside, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The target of a path, as the system itself resolves it; undefined when it does not exist or is outside. */
function insideOf(root: string, path: string): string | undefined {
  try {
    const real = realpathSync.native(join(root, ...namesOf(path)));
    return real === root || real.startsWith(`${root}/`) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** The file an answer names: it must be spelled without any link. */
function realFile(root: string, path: unknown): string {
  const fullPath = join(root, String(path));
  expect(realpathSync.native(fullPath)).toBe(fullPath);
  return fullPath;
}

const namesOf = (path: string): string[] => path.split('/').filter((part) => part !== '' && part !== '.');
/** Relative, without `..`, and not asking for a directory by a slash behind it: a file there must be read. */
const isPlain = (path: string): boolean =>
  !path.startsWith('/') &&
  !path.includes('\0') &&
  path !== '' &&
  !path.split('/').includes('..') &&
  !/\/\.?$/.test(path);
const isFile = (path: string | undefined): path is string => path !== undefined && statSync(path).isFile();

const spelled = (path: string, { root, outside }: { root: string; outside: string }): string =>
  path.replace('ROOT', root).replace('OUT', outside);

const operation = fc.record({
  tool: fc.constantFrom(
    'read_file',
    'read_file',
    'write_file',
    'delete_file',
    'move_file',
    'list_files',
    'create_directory',
  ),
  path: randomPath,
  other: randomPath,
});

function argsOf({
  tool,
  path,
  other,
}: {
  tool: string;
  path: string;
  other: string;
}): Record<string, unknown> {
  if (tool === 'move_file') return { from: path, to: other, overwrite: true };
  if (tool === 'write_file') return { path, content: `written to ${path}\n` };
  return tool === 'delete_file' || tool === 'list_files' ? { path, recursive: true } : { path };
}

test('no path leaves the workspace, whatever is called with it', async () => {
  using ground = field();
  await using bench = await workbench({ folder: ground.folder, mode: 'trusted' });
  bench.human(approveAll);
  const untouched = treeState(ground.outside);
  const counts = new Map<string, number>();

  async function check({ tool, path, other }: { tool: string; path: string; other: string }): Promise<void> {
    const before = insideOf(ground.root, path);
    const content = isFile(before) ? readFileSync(before, 'utf8') : undefined;
    const outcome = await bench.call(tool, argsOf({ tool, path, other }));
    const code = codeOf(outcome);
    counts.set(`${tool} ${code}`, (counts.get(`${tool} ${code}`) ?? 0) + 1);

    expect(code).not.toBe('INTERNAL');
    expect(JSON.stringify(outcome)).not.toContain('SENTINEL');
    expect(treeState(ground.outside)).toEqual(untouched);
    if (tool === 'read_file' && isPlain(path) && content !== undefined) expect(code).toBe('completed');
    if (outcome.status !== 'completed') return;
    if (tool === 'read_file')
      expect(outcome.data.content).toBe(readFileSync(realFile(ground.root, outcome.data.path), 'utf8'));
    if (tool === 'write_file')
      expect(readFileSync(realFile(ground.root, outcome.data.path), 'utf8')).toBe(`written to ${path}\n`);
    if (tool === 'delete_file')
      expect(lstatSync(join(ground.root, ...namesOf(path)), { throwIfNoEntry: false })).toBeUndefined();
  }

  const operations = fc.array(operation, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(randomTree, operations, async (tree, calls) => {
      createTree(ground.root, ground.outside, tree);
      for (const { at } of tree) await check({ tool: 'read_file', path: at, other: '' });
      for (const { tool, path, other } of calls)
        await check({ tool, path: spelled(path, ground), other: spelled(other, ground) });
      expect(Object.keys(treeState(ground.root)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    }),
    { numRuns: runs },
  );
  // The law says little if nothing is ever let through, or nothing ever refused.
  for (const often of [
    'read_file completed',
    'write_file completed',
    'read_file PATH_OUTSIDE_WORKSPACE',
    'write_file PATH_OUTSIDE_WORKSPACE',
  ])
    expect(counts.get(often) ?? 0, often).toBeGreaterThan(runs / 100);
});

/** The result of resolving a path: the place and its content, or the code of the refusal. */
function find(
  workspace: Workspace,
  path: string,
  followLast: boolean,
): { path: string; content?: string } | string {
  try {
    using found = workspace.locate(path, { followLast, access: 'read', pathChars: 255 });
    if (!found.stat?.isFile()) return { path: found.path };
    using file = openRegular(found);
    return { path: found.path, content: readWhole(file, path).toString() };
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}

test('a path comes to the same place with and without descriptor paths, and to the one the system names', () => {
  using ground = field();
  using direct = Workspace.open(ground.root);
  using portable = Workspace.open(ground.root, { portable: true });
  fc.assert(
    fc.property(randomTree, fc.array(randomPath, { minLength: 1, maxLength: 20 }), (tree, paths) => {
      createTree(ground.root, ground.outside, tree);
      for (const path of paths.map((spelling) => spelled(spelling, ground))) {
        for (const followLast of [true, false])
          expect(find(portable, path, followLast)).toEqual(find(direct, path, followLast));
        const found = find(direct, path, true);
        const real = insideOf(ground.root, path);
        if (typeof found !== 'string' && found.content !== undefined) {
          expect(found.content).toBe(readFileSync(realFile(ground.root, found.path), 'utf8'));
          // The system takes a link to `file/` for broken; here it leads to the file.
          expect([join(ground.root, found.path), undefined]).toContain(real);
        }
        if (isPlain(path) && isFile(real)) expect(found).toHaveProperty('content');
      }
    }),
    { numRuns: runs },
  );
});
