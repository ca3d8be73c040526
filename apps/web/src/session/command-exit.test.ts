// Command results on the screen: exits that are failures, and the counts of test runners.
import { expect, test } from 'vitest';
import { failedExit, tellingLines } from './command-exit.ts';

test('a command that exits non-zero has failed, one that exits well has not', () => {
  const ended = (exit_code: unknown) =>
    ({ status: 'completed', data: { exit_code } }) as unknown as Parameters<typeof failedExit>[0];
  expect([ended(0), ended(1), ended(null), undefined].map(failedExit)).toEqual([
    undefined,
    1,
    undefined,
    undefined,
  ]);
});

test('of a failure the lines are shown that say why', () => {
  expect(tellingLines('a\n\nb\nc\n', 2)).toBe('b\nc');
  const assertion = "AssertionError [ERR_ASSERTION]: Expected values to be equal:\n+ 'req-1'\n- 'req-001'";
  const run = `✔ one\n✖ two (1 ms)\n  ${assertion}\n  at x\n  at y\n  operator: '=='\n}\n`;
  expect(tellingLines(run, 3)).toBe(`  ${assertion}`);
  expect(tellingLines('src/a.ts: error: no x\n1\n2\n3', 2)).toBe('src/a.ts: error: no x\n1');
  expect(tellingLines('not ok 2 - adds\n# pass 3\n# fail 2', 5)).toBe('not ok 2 - adds\n# pass 3\n# fail 2');
});
