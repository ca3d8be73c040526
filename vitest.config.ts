import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

const scratch = mkdtempSync(join(tmpdir(), 'codelab-vitest-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const keys = join(scratch, 'keys');
mkdirSync(keys);

const pages = ['test/web-!(api-)*.test.ts'];
// These measure their own memory or descriptors, are about what a process has from its start, or keep it busy to its limits.
const alone = [
  'attack-audit-key',
  'attack-special',
  'child-environment',
  'copy-tree',
  'gateway-*chaos*',
  'gateway-flood',
  'gateway-memory',
  'gateway-slow-listener',
  'log-killed',
  'mcp-client-hostile',
  'path-law',
  'portable',
  'process-limits',
  'search-laws',
  'sweep-chaos',
  'undo-law',
].map((name) => `test/${name}.test.ts`);

export default defineConfig({
  test: {
    pool: 'forks',
    env: {
      // Logs of tests are not signed with the key of whoever runs them.
      CODELAB_KEYS: keys,
      // Tests start the same programs hundreds of times: each is compiled once.
      NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    },
    // Many tests wait for processes and disks: one more than there are cores halves the time.
    maxWorkers: availableParallelism() + 1,
    // Real terminals, processes and disks: on a loaded machine one may come too late. The report names each second try.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // On a loaded machine a second is soon over.
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: LongFirst },
    // Loading the sources takes a second: a process takes one file after the other, so leave nothing behind in it.
    isolate: false,
    projects: [
      // The browser, and the page in its cache, stay for the next file.
      { extends: true, test: { name: 'pages', include: pages } },
      { extends: true, test: { name: 'alone', include: alone, isolate: true } },
      {
        extends: true,
        test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: [...pages, ...alone] },
      },
      {
        extends: true,
        test: { name: 'units', include: ['packages/**/src/**/*.test.ts', 'apps/**/src/**/*.test.ts'] },
      },
    ],
  },
});
