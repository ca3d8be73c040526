import { expect, test } from 'vitest';
import { testCounts } from './test-counts.ts';

// Summaries as the runners print them.
test.each<[string, string, [passed: number, failed: number, skipped: number]]>([
  [
    'node:test',
    '✖ adds\nℹ tests 3\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 44',
    [2, 1, 0],
  ],
  ['node:test as TAP', '1..2\n# tests 2\n# pass 2\n# fail 0\n# skipped 0', [2, 0, 0]],
  [
    'vitest',
    ' Test Files  1 failed | 6 passed (7)\n      Tests  2 failed | 63 passed | 1 skipped (66)\n   Start at  21:11:11',
    [63, 2, 1],
  ],
  [
    'vitest in colours',
    '\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m65 passed\x1b[39m\x1b[22m\x1b[90m (65)\x1b[39m',
    [65, 0, 0],
  ],
  [
    'jest',
    'Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 12 passed, 15 total\nTime:        1.2 s',
    [12, 1, 2],
  ],
  ['mocha', '\n  12 passing (34ms)\n  1 pending\n  2 failing\n', [12, 2, 1]],
  ['pytest', '=========== 1 failed, 20 passed, 3 skipped in 0.45s ===========', [20, 1, 3]],
  ['pytest -q', '..\n2 passed in 0.01s', [2, 0, 0]],
  [
    'cargo',
    'test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured\n\ntest result: FAILED. 2 passed; 1 failed; 0 ignored;',
    [7, 1, 1],
  ],
  ['Maven', '[ERROR] Tests run: 10, Failures: 1, Errors: 1, Skipped: 2', [6, 2, 2]],
  ['dotnet', 'Failed!  - Failed:     1, Passed:     7, Skipped:     0, Total:     8', [7, 1, 0]],
  ['rspec', '10 examples, 2 failures, 1 pending', [7, 2, 1]],
  ['bun', ' 4 pass\n 1 fail\nRan 5 tests across 1 file.', [4, 1, 0]],
])('%s', (_runner, output, [passed, failed, skipped]) => {
  expect(testCounts(output)).toEqual({ passed, failed, skipped });
});

test.each([
  ['nothing', ''],
  ['a list of files', 'a.ts\nb.ts'],
  ['prose', 'The tests: 3 passed review and 2 failed to convince.'],
  ['no test at all', 'ℹ pass 0\nℹ fail 0'],
])('%s has no counts', (_what, output) => {
  expect(testCounts(output)).toBeUndefined();
});
