import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callsInChild, isRoot } from '../support/calls-in-child.ts';
import { codeOf } from '../support/code-of.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { treeState } from '../support/tree-state.ts';
import { workbench } from '../support/workbench.ts';

const hasStrace = spawnSync('strace', ['-V']).status === 0;

type Call = { tool: string; args: Record<string, unknown> };

const oneThread = { UV_THREADPOOL_SIZE: '1' };

/** Lets system calls fail; `path` narrows it to those that touch one file. One thread does the file work, so that they can be counted. */
function failing(calls: string, fault: string, path?: string): { wrapper: string[]; env: NodeJS.ProcessEnv } {
  const only = path === undefined ? [] : ['-P', path];
  return {
    wrapper: [
      'strace',
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      ...only,
      '-e',
      `trace=${calls}`,
      '-e',
      `inject=${calls}:${fault}`,
    ],
    env: oneThread,
  };
}

const write = (path: string, content = 'new\n'): Call => ({ tool: 'write_file', args: { path, content } });

/** A folder whose log exists already, so that only the calls themselves sync anything. */
async function used(files: Record<string, string>): Promise<ReturnType<typeof scratchFolder>> {
  const scratch = scratchFolder({ files });
  await using bench = await workbench({ folder: scratch.folder });
  await bench.call('list_files', {});
  return scratch;
}

/** Which sync of its thread is the last one of such a file, in a run where nothing fails. */
async function lastSync(files: Record<string, string>, calls: Call[], path: RegExp): Promise<number> {
  using scratch = await used(files);
  const trace = join(scratch.folder, 'trace');
  const wrapper = ['strace', '-f', '-qq', '-y', '-o', trace, '-e', 'trace=fsync'];
  callsInChild({ folder: scratch.folder, calls, wrapper, env: oneThread });
  const syncs = [...readFileSync(trace, 'utf8').matchAll(/^(\d+) +fsync\(\d+<([^>]*)>/gm)];
  const last = syncs.findLastIndex(([, , file = '']) => path.test(file));
  return syncs.slice(0, last + 1).filter(([, thread]) => thread === syncs[last]?.[1]).length;
}

describe.runIf(hasStrace)('F-19: a sync that fails', () => {
  // Threads are counted apart, so the last of several writes is aimed at: the log's thread does not sync that often.
  const paths = Array.from({ length: 8 }, (_, i) => `${i}.txt`);
  const files = Object.fromEntries(paths.map((path) => [path, 'old\n']));
  const calls = paths.map((path) => write(path));
  const allOf = (content: string): Record<string, string> =>
    Object.fromEntries(paths.map((path) => [path, content]));

  test('of the new content: the call fails and the old file is there', async () => {
    using scratch = await used(files);
    const when = await lastSync(files, calls, /\/work\/[^/]*\.tmp$/);
    const { outcomes } = callsInChild({
      folder: scratch.folder,
      calls,
      ...failing('fsync', `error=EIO:when=${when}`),
    });
    expect(outcomes.map(codeOf)).toEqual([...Array(7).fill('completed'), 'IO_ERROR']);
    expect(contents(scratch.root)).toEqual({ ...allOf('new\n'), '7.txt': 'old\n' });
  });

  test('of the directory: the file is new, and the outcome does not claim to know', async () => {
    using scratch = await used(files);
    const when = await lastSync(files, calls, /\/work$/);
    const { outcomes } = callsInChild({
      folder: scratch.folder,
      calls,
      ...failing('fsync', `error=EIO:when=${when}`),
    });
    expect(outcomes.map(codeOf)).toEqual([...Array(7).fill('completed'), 'OUTCOME_UNKNOWN']);
    expect(contents(scratch.root)).toEqual(allOf('new\n'));
  });

  test.each([
    ['delete_file', { path: 'a.txt' }],
    ['move_file', { from: 'a.txt', to: 'b.txt' }],
  ])('of the directory, after %s', async (tool, args) => {
    using scratch = await used({ 'a.txt': 'old\n' });
    const { outcomes } = callsInChild({
      folder: scratch.folder,
      calls: [{ tool, args }],
      ...failing('fsync', 'error=EIO', scratch.root),
    });
    expect(outcomes.map(codeOf)).toEqual(['OUTCOME_UNKNOWN']);
    expect(existsSync(join(scratch.root, 'a.txt'))).toBe(false);
  });

  test('of a file with two names: its old content is back, at the latest after a restart', async () => {
    using scratch = await used({ 'a.txt': 'old and longer\n' });
    linkSync(join(scratch.root, 'a.txt'), join(scratch.root, 'b.txt'));
    const { outcomes } = callsInChild({
      folder: scratch.folder,
      calls: [write('a.txt')],
      ...failing('fsync', 'error=EIO', join(scratch.root, 'a.txt')),
    });
    expect(['IO_ERROR', 'OUTCOME_UNKNOWN']).toContain(codeOf(outcomes[0]));
    await using _restarted = await workbench({ folder: scratch.folder });
    expect(contents(scratch.root)).toEqual({ 'a.txt': 'old and longer\n', 'b.txt': 'old and longer\n' });
  });

  test.each(['fsync', 'fdatasync'])(
    'of the log (%s): nothing is started that was not recorded',
    async (call) => {
      using scratch = await used({ 'a.txt': 'old\n' });
      const before = treeState(scratch.root);
      const { outcomes } = callsInChild({
        folder: scratch.folder,
        calls: [write('a.txt')],
        ...failing(call, 'error=EIO', join(scratch.home, 'sessions.db-wal')),
      });
      expect(outcomes.map(codeOf)).toEqual(['IO_ERROR']);
      expect(treeState(scratch.root)).toEqual(before);
    },
  );
});

describe.runIf(hasStrace)('F-20: a read that fails', () => {
  test.each([
    ['whole', {}],
    ['paged', { start_line: 1 }],
  ])('is an error, and nothing half read is kept (%s)', async (_name, page) => {
    using scratch = await used({ 'a.txt': 'one\ntwo\n' });
    const { outcomes } = callsInChild({
      folder: scratch.folder,
      calls: Array(2).fill({ tool: 'read_file', args: { path: 'a.txt', ...page } }),
      ...failing('read,pread64', 'error=EIO:when=1', join(scratch.root, 'a.txt')),
    });
    expect(outcomes.map(codeOf)).toEqual(['IO_ERROR', 'completed']);
    expect(outcomes[1]).toMatchObject({ data: { content: 'one\ntwo\n' } });
  });

  test('a write that could not see the old file leaves it alone', async () => {
    using scratch = await used({ 'a.txt': 'one\r\ntwo\r\n' });
    const before = treeState(scratch.root);
    const { outcomes } = callsInChild({
      folder: scratch.folder,
      calls: [write('a.txt')],
      ...failing('read,pread64', 'error=EIO', join(scratch.root, 'a.txt')),
    });
    expect(outcomes.map(codeOf)).toEqual(['IO_ERROR']);
    expect(treeState(scratch.root)).toEqual(before);
  });
});

test('F-21: short writes lose nothing', async (context) => {
  using scratch = await used({ 'a.txt': 'old\n', 'b.txt': 'old\n', 'd/c.txt': 'x'.repeat(10_000) });
  linkSync(join(scratch.root, 'b.txt'), join(scratch.root, 'twin.txt'));
  const library = join(scratch.folder, 'short-writes.so');
  const source = join(import.meta.dirname, '../support', 'short-writes.c');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  if (built.status !== 0) context.skip('no C compiler');
  const mark = join(scratch.folder, 'mark');
  const content = `${'0123456789'.repeat(20_000)}\n`;
  const { outcomes } = callsInChild({
    folder: scratch.folder,
    calls: [write('a.txt', content), write('b.txt', content), write('n/new.txt', content)],
    env: { LD_PRELOAD: library, SHORT_WRITES: mark },
  });
  expect(outcomes.map(codeOf)).toEqual(['completed', 'completed', 'completed']);
  for (const path of ['a.txt', 'b.txt', 'twin.txt', 'n/new.txt'])
    expect(readFileSync(join(scratch.root, path), 'utf8')).toBe(content);
  expect(existsSync(mark)).toBe(true);
});

test.runIf(isRoot)(
  'F-16: a file that may not grow any further is left as it was, and the process lives',
  async () => {
    using scratch = await used({ 'a.txt': 'old\n', 'b.txt': 'old\n' });
    linkSync(join(scratch.root, 'b.txt'), join(scratch.root, 'twin.txt'));
    const before = treeState(scratch.root);
    await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
    // The log may grow; only while the tool itself runs nothing may.
    const limit = (bytes: string): unknown =>
      spawnSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:unlimited`]);
    const tools = [...bench.host.tools].map(([name, tool]): [string, typeof tool] => [
      name,
      {
        ...tool,
        async run(...args) {
          limit('100000');
          try {
            return await tool.run(...args);
          } finally {
            limit('unlimited');
          }
        },
      },
    ]);
    bench.host = { ...bench.host, tools: new Map(tools) };
    for (const path of ['a.txt', 'b.txt', 'd/new.txt']) {
      const outcome = await bench.call('write_file', { path, content: 'x'.repeat(300_000) }, { id: path });
      expect(codeOf(outcome), path).toBe('NO_SPACE');
    }
    expect(treeState(scratch.root)).toEqual(before);
  },
);

/** Every file by its content, temp files included. */
function contents(root: string): Record<string, string> {
  return Object.fromEntries(
    Object.keys(treeState(root))
      .filter((path) => path !== '.')
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
}
