import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

// Logs of tests are not signed with the key of whoever runs them.
const keys = mkdtempSync(join(tmpdir(), 'codelab-keys-'));
process.on('exit', () => rmSync(keys, { recursive: true, force: true }));

const pages = 'test/web-*.test.ts';

export default defineConfig({
  test: {
    pool: 'forks',
    env: { CODELAB_KEYS: keys },
    // Many tests wait for processes and disks: one more than there are cores halves the time.
    maxWorkers: availableParallelism() + 1,
    // Real terminals, processes and disks: on a loaded machine one may come too late. The report names each second try.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // On a loaded machine a second is soon over.
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: [pages],
        },
      },
      // These leave nothing behind in their process, so a process takes one file after the other: half the time goes into starting them.
      {
        extends: true,
        test: {
          name: 'units',
          include: ['packages/**/src/**/*.test.ts', 'apps/**/src/**/*.test.ts'],
          isolate: false,
        },
      },
      // The browser, and the page in its cache, stay for the next file.
      {
        extends: true,
        test: { name: 'pages', include: [pages], isolate: false },
      },
    ],
  },
});
