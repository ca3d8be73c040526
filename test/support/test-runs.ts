// Output of test runners with failed tests.

export const nodeList = `▶ the cart
  ✖ adds (0.855376ms)
  ✔ is empty at first (0.0936ms)
✖ the cart (2.431337ms)
✖ throws (0.074942ms)
⚠ later (0.076644ms) # TODO
ℹ pass 1
ℹ fail 2
`;

export const nodeSection = `
✖ failing tests:

test at cart.test.js:2:30
✖ adds (0.855376ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  
  3 !== 4
  
      at TestContext.<anonymous> (/w/cart.test.js:2:54)
      at Test.run (node:internal/test_runner/test:1402:25) {
    code: 'ERR_ASSERTION',
  }

test at cart.test.js:3:1
✖ throws (0.074942ms)
  TypeError: Cannot read properties of null (reading 'x')
      at TestContext.<anonymous> (/w/cart.test.js:3:29)

test at cart.test.js:4:1
⚠ later (0.076644ms) # TODO
  Error: not yet
`;

export const tap = `TAP version 13
# Subtest: the cart
    # Subtest: adds
    not ok 1 - adds
      ---
      location: '/w/cart.test.js:2:30'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly deep-equal:
        + actual - expected
        
          {
        +   a: 1
      code: 'ERR_ASSERTION'
      ...
    ok 2 - is empty at first
not ok 1 - the cart
  ---
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
# Subtest: throws
not ok 2 - throws
  ---
  error: "Cannot read properties of null (reading 'x')"
  ...
not ok 3 - later # TODO
`;

export const vitest = `
 FAIL  |units| src/cart.test.ts > the cart > adds
AssertionError: expected 3 to be 4 // Object.is equality

- Expected
+ Received

 ❯ src/cart.test.ts:2:65
⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/2]⎯
 FAIL  src/cart.test.ts > one
 FAIL  src/cart.test.ts > two
\x1b[31mTypeError\x1b[39m: no cart
 ❯ open src/cart.ts:7:3
 ❯ src/cart.test.ts:9:3
`;

export const jest = `FAIL src/cart.test.js
  ● Console

    console.log

  ● the cart › adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 4
    Received: 3

      at Object.toBe (src/cart.test.js:4:17)
      at Promise.then.completed (node_modules/jest-circus/build/utils.js:298:28)

  ● the cart › throws

    TypeError: no cart

      at Object.<anonymous> (src/cart.test.js:8:9)

Tests:       2 failed, 1 passed, 3 total

Summary of all failing tests
FAIL src/cart.test.js
  ● the cart › adds

    expect(received).toBe(expected) // Object.is equality
`;

export const mocha = `  the cart
    1) adds
    ✔ is empty

  1 passing (4ms)
  2 failing

  1) the cart
       adds:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

3 !== 4

      + expected - actual

      -3
      +4

      at Context.<anonymous> (test/cart.js:5:12)
      at process.processImmediate (node:internal/timers:485:21)

  2) throws:
     TypeError: no cart
      at open (node_modules/shop/open.js:1:1)
      at Context.<anonymous> (file:///w/test/cart.js:9:11)
`;

export const pytest = `=================================== FAILURES ===================================
__________________________________ test_adds ___________________________________

    def test_adds():
>       assert add(1, 2) == 4
E       assert 3 == 4
E        +  where 3 = add(1, 2)

test_cart.py:4: AssertionError
_____________________________ TestCart.test_empty ______________________________

E       ValueError: no cart

test_cart.py:7: ValueError
=========================== short test summary info ============================
FAILED test_cart.py::test_adds - assert 3 == 4
FAILED test_cart.py::TestCart::test_empty - ValueError: no c...
ERROR test_cart.py::test_name[a b] - RuntimeError: setup broke
2 failed, 1 passed, 1 error in 0.47s
`;

export const go = `--- FAIL: TestCart (0.00s)
    --- FAIL: TestCart/adds (0.00s)
        cart_test.go:12: got 3, want 4
--- FAIL: TestNames (0.00s)
    names_test.go:9: 
        	Error Trace:	names_test.go:9
        	Error:      	Not equal: 
        	            	expected: "a"
        	            	actual  : "b"
=== RUN   TestLoud
    loud_test.go:5: too loud
--- FAIL: TestLoud (0.00s)
FAIL	example.com/other [build failed]
`;

export const cargo = `test tests::fine ... ok
test tests::adds ... FAILED
test tests::should - should panic ... FAILED

failures:

---- tests::adds stdout ----

thread 'tests::adds' (28325) panicked at src/lib.rs:3:25:
assertion \`left == right\` failed
  left: 3
 right: 4
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace

---- tests::should stdout ----
note: test did not panic as expected at src/lib.rs:6:32

failures:
    tests::adds
`;
