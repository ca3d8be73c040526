import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

const scratch = mkdtempSync(join(tmpdir(), 'codelab-vitest-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const keys = join(scratch, 'keys');
mkdirSync(keys);

const pages = ['test/web/*.test.ts'];
// A whole editor in a browser: `npm run test:editor` runs it, `npm test` does not.
const editor = ['test/vscode/*.test.ts'];
// These files measure their own memory or descriptors, test a process from its start, or keep it fully busy. nats/gateway imports other
// test files, which register no tests in a process that has run them already.
const alone = [
  'attacks/audit-key',
  'attacks/special',
  'files/path-law',
  'gateway/*chaos*',
  'gateway/flood',
  'gateway/memory',
  'gateway/slow-listener',
  'log/killed',
  'mcp/client-hostile',
  'nats/gateway',
  'process/limits',
  'project/portable',
  'recovery/copy-tree',
  'recovery/sweep-chaos',
  'sandbox/child-environment',
  'search/laws',
  'undo/law',
].map((name) => `test/${name}.test.ts`);

// The files of these tests are in memory, where a sync is free. Tests about crashes, undo, recovery, the sandbox and the log stay on the
// disk.
const inMemory = ['agent', 'chat', 'cli', 'client', 'gateway', 'git', 'http', 'mcp', 'web-api', 'wire']
  .map((area) => `test/${area}/*.test.ts`)
  .concat('test/calls/scenarios.test.ts', 'test/seeds/*.test.ts');
const memory = memoryFolder();

/** A folder of this run in memory; undefined where there is none, or less than 4 GiB of it. */
function memoryFolder(): { TMPDIR: string } | undefined {
  const place = '/dev/shm';
  if (!existsSync(place)) return undefined;
  const { bavail, bsize } = statfsSync(place);
  if (bavail * bsize < 4 * 2 ** 30) return undefined;
  // A short name, since the chat shows it, and open to programs that run as another user.
  const folder = mkdtempSync(join(place, 'clt-'));
  chmodSync(folder, 0o1777);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

export default defineConfig({
  test: {
    pool: 'forks',
    env: {
      // Test logs are not signed with the user's own key.
      CODELAB_KEYS: keys,
      // Tests start the same programs hundreds of times: each is compiled once.
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    },
    // Many tests wait for processes and disks: one more than there are cores halves the time.
    maxWorkers: availableParallelism() + 1,
    // Real terminals, processes and disks: on a loaded machine one may come too late. The report names each that was tried again.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A second is too short on a loaded machine.
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: LongFirst },
    // Loading the sources takes a second: a process takes one file after the other, so leave nothing behind in it.
    isolate: false,
    projects: [
      // The browser, and the page in its cache, stay for the next file.
      {
        extends: true,
        test: { name: 'pages', include: pages, retry: 2, ...(memory && { env: memory }) },
      },
      { extends: true, test: { name: 'editor', include: editor } },
      { extends: true, test: { name: 'alone', include: alone, isolate: true } },
      {
        extends: true,
        test: { name: 'memory', include: inMemory, exclude: alone, ...(memory && { env: memory }) },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [...pages, ...editor, ...alone, ...inMemory],
        },
      },
      {
        extends: true,
        // These tests do not depend on the speed of a terminal, a browser or another process.
        test: {
          name: 'units',
          include: ['packages/**/src/**/*.test.ts', 'apps/**/src/**/*.test.ts'],
          retry: 0,
        },
      },
    ],
  },
});
