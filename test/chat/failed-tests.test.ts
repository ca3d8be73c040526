import { failedTests } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { cargo, go, jest, mocha, nodeList, nodeSection, pytest, tap, vitest } from '../support/test-runs.ts';

test.each<[string, string, [name: string, place: string, reason: string][]]>([
  [
    'node:test',
    nodeList + nodeSection,
    [
      ['adds', 'cart.test.js:2:54', 'Expected values to be strictly equal: 3 !== 4'],
      ['throws', 'cart.test.js:3:29', "TypeError: Cannot read properties of null (reading 'x')"],
    ],
  ],
  [
    'node:test without its last section',
    nodeList,
    [
      ['adds', '', ''],
      ['throws', '', ''],
    ],
  ],
  [
    'node:test as TAP',
    tap,
    [
      ['the cart › adds', '/w/cart.test.js:2:30', 'Expected values to be strictly deep-equal'],
      ['throws', '', "Cannot read properties of null (reading 'x')"],
    ],
  ],
  [
    'tape',
    'not ok 2 should be equal\n  ---\n    operator: equal\n    expected: 2\n    actual:   1\n    at: Test.<anonymous> (/w/a.js:5:7)\n  ...',
    [['should be equal', '/w/a.js:5:7', 'expected: 2, actual: 1']],
  ],
  [
    'vitest',
    vitest,
    [
      ['the cart › adds', 'src/cart.test.ts:2:65', 'expected 3 to be 4 // Object.is equality'],
      ['one', 'src/cart.ts:7:3', 'TypeError: no cart'],
      ['two', 'src/cart.ts:7:3', 'TypeError: no cart'],
    ],
  ],
  [
    'jest',
    jest,
    [
      ['the cart › adds', 'src/cart.test.js:4:17', 'Expected: 4, Received: 3'],
      ['the cart › throws', 'src/cart.test.js:8:9', 'TypeError: no cart'],
    ],
  ],
  [
    'mocha',
    mocha,
    [
      ['the cart › adds', 'test/cart.js:5:12', 'Expected values to be strictly equal: 3 !== 4'],
      ['throws', '/w/test/cart.js:9:11', 'TypeError: no cart'],
    ],
  ],
  [
    'pytest',
    pytest,
    [
      ['test_cart.py::test_adds', 'test_cart.py:4', 'assert 3 == 4'],
      ['test_cart.py::TestCart::test_empty', 'test_cart.py:7', 'ValueError: no cart'],
      ['test_cart.py::test_name[a b]', 'test_cart.py', 'RuntimeError: setup broke'],
    ],
  ],
  [
    'go test',
    go,
    [
      ['TestCart/adds', 'cart_test.go:12', 'got 3, want 4'],
      ['TestNames', 'names_test.go:9', 'Not equal: expected: "a", actual: "b"'],
      ['TestLoud', 'loud_test.go:5', 'too loud'],
      ['example.com/other', '', 'build failed'],
    ],
  ],
  [
    'cargo test',
    cargo,
    [
      ['tests::adds', 'src/lib.rs:3:25', 'assertion `left == right` failed (left: 3, right: 4)'],
      ['tests::should', '', 'test did not panic as expected at src/lib.rs:6:32'],
    ],
  ],
])('%s', (_runner, output, expected) => {
  const tests = expected.map(([name, place, reason]) => ({ name, place, reason }));
  expect(failedTests(output).map(({ lines: _lines, ...rest }) => rest)).toEqual(tests);
});

test('the place is the line of the assertion, also below an absolute path; a test of the same name in another file is another test', () => {
  const run = ['a', 'b'].flatMap((name) => [
    `test at test/${name}.test.js:1:1`,
    '✖ adds (1ms)',
    '  Error: no cart',
    '      at open (file:///w/lib/cart.js:7:3)',
    `      at TestContext.<anonymous> (file:///w/test/${name}.test.js:5:9) {`,
  ]);
  const places = failedTests(['✖ failing tests:', ...run].join('\n')).map(({ place }) => place);
  expect(places).toEqual(['test/a.test.js:5:9', 'test/b.test.js:5:9']);
});

test.each([
  ['nothing', ''],
  ['a run that passed', '✔ adds (1ms)\nℹ pass 1\nℹ fail 0'],
  ['a linter', 'src/a.ts\n  3:1  error  no x\n\n✖ 3 problems (3 errors, 0 warnings)'],
  ['a log', 'ERROR cannot reach the server - refused\nFAILED to connect'],
  ['a list in prose', '  ● one\n  ● two'],
])('%s has no failed tests', (_what, output) => {
  expect(failedTests(output)).toEqual([]);
});

test('a very long run stays bounded', () => {
  const run = Array.from({ length: 5000 }, (_, at) => `not ok ${at + 1} - ${'x'.repeat(500)}${at}`).join(
    '\n',
  );
  const tests = failedTests(run);
  expect(tests.length).toBe(100);
  expect(tests.every(({ name }) => name.length <= 200)).toBe(true);
});
