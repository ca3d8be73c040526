import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/**/src/**/*.test.ts', 'apps/**/src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    // Many tests wait for processes and disks: one more than there are cores halves the time.
    maxWorkers: availableParallelism() + 1,
    // Real terminals, processes and disks: on a loaded machine one may come too late. The report names each second try.
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
