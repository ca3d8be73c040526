// The lines below a failed test: its part of the output, and the place to open.

import { failedTests } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { cargo, go, jest, mocha, nodeList, nodeSection, pytest, tap, vitest } from '../support/test-runs.ts';

test.each<[string, string, string[][]]>([
  [
    'node:test',
    nodeList + nodeSection,
    [
      [
        'AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
        '',
        '3 !== 4',
        'at TestContext.<anonymous> (/w/cart.test.js:2:54)',
      ],
      [
        "TypeError: Cannot read properties of null (reading 'x')",
        'at TestContext.<anonymous> (/w/cart.test.js:3:29)',
      ],
    ],
  ],
  [
    'node:test as TAP',
    tap,
    [
      ['Expected values to be strictly deep-equal:', '+ actual - expected', '', '  {', '+   a: 1'],
      ["Cannot read properties of null (reading 'x')"],
    ],
  ],
  [
    'tape',
    'not ok 2 should be equal\n  ---\n    expected: 2\n    actual:   1\n    stack: |-\n      Error: should be equal\n        at run (/w/node_modules/tape/x.js:1:2)\n        at Test.<anonymous> (/w/a.js:5:7)\n  ...',
    [['expected: 2', 'actual: 1', 'at Test.<anonymous> (/w/a.js:5:7)']],
  ],
  [
    'vitest',
    vitest,
    [
      [
        'AssertionError: expected 3 to be 4 // Object.is equality',
        '',
        '- Expected',
        '+ Received',
        '',
        ' ❯ src/cart.test.ts:2:65',
      ],
      ['TypeError: no cart', ' ❯ open src/cart.ts:7:3', ' ❯ src/cart.test.ts:9:3'],
      ['TypeError: no cart', ' ❯ open src/cart.ts:7:3', ' ❯ src/cart.test.ts:9:3'],
    ],
  ],
  [
    'jest',
    jest,
    [
      [
        'expect(received).toBe(expected) // Object.is equality',
        '',
        'Expected: 4',
        'Received: 3',
        'at Object.toBe (src/cart.test.js:4:17)',
      ],
      ['TypeError: no cart', 'at Object.<anonymous> (src/cart.test.js:8:9)'],
    ],
  ],
  [
    'mocha',
    mocha,
    [
      [
        '      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:',
        '',
        '3 !== 4',
        '',
        '      + expected - actual',
        '',
        '      -3',
        '      +4',
        'at Context.<anonymous> (test/cart.js:5:12)',
      ],
      ['TypeError: no cart', 'at Context.<anonymous> (file:///w/test/cart.js:9:11)'],
    ],
  ],
  [
    'pytest',
    pytest,
    [
      [
        '>       assert add(1, 2) == 4',
        'E       assert 3 == 4',
        'E        +  where 3 = add(1, 2)',
        'test_cart.py:4: AssertionError',
      ],
      ['E       ValueError: no cart', 'test_cart.py:7: ValueError'],
      [],
    ],
  ],
  [
    'go test',
    go,
    [
      ['cart_test.go:12: got 3, want 4'],
      [
        'names_test.go:9:',
        '      Error Trace:  names_test.go:9',
        '      Error:        Not equal:',
        '                    expected: "a"',
        '                    actual  : "b"',
      ],
      ['loud_test.go:5: too loud'],
      [],
    ],
  ],
  [
    'cargo test',
    cargo,
    [
      [
        "thread 'tests::adds' (28325) panicked at src/lib.rs:3:25:",
        'assertion `left == right` failed',
        '  left: 3',
        ' right: 4',
      ],
      ['note: test did not panic as expected at src/lib.rs:6:32'],
    ],
  ],
])('the lines of each failure of %s', (_runner, output, expected) => {
  expect(failedTests(output).map(({ lines }) => lines)).toEqual(expected);
});

test('a long message keeps its beginning and the place of the failure', () => {
  const message = Array.from({ length: 60 }, (_, at) => `  line ${at} ${'x'.repeat(400)}`);
  const run = [
    '✖ failing tests:',
    'test at a.js:1:1',
    '✖ adds (1ms)',
    ...message,
    '      at run (/w/a.js:9:3)',
  ];
  const [{ lines } = { lines: [] }] = failedTests(run.join('\n'));
  expect(lines.length).toBe(16);
  expect(lines.at(-1)).toBe('at run (/w/a.js:9:3)');
  expect(lines.every((line) => line.length <= 240)).toBe(true);
});
