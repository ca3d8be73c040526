// Code known only at run time: programs behind variables, composed text, folders that a condition decides. The human saw everything that
// may run; a change to it needs a new approval.
import { expect, test } from 'vitest';
import { type Attack, all, expectAskedAgain, write } from '../support/changed-after-approval.ts';
import { processBench } from '../support/process-bench.ts';

const good = '#!/bin/sh\ntrue\n';
const evil = '#!/bin/sh\ntouch evil\n';
const change = write('x.sh', evil);
const script = write('x.sh', good);
const npmTest = (body: string): Record<string, string> => ({
  'package.json': JSON.stringify({ name: 'x', scripts: { test: body } }),
});
const make = (text: string): Record<string, string> => ({ Makefile: text });
const deep = all(write('d/lib.sh', 'true\n'), write('lib.sh', 'true\n'));
const deepEvil = write('d/lib.sh', 'touch evil\n');

const attacks: Attack[] = [
  ['a program of make by a variable', make('S = ./x.sh\nall:\n\t$(S)\n'), 'make', change, script],
  [
    'a script of make by variables of variables',
    make('D := .\nS = $(D)/x.sh\nall:\n\tsh $(S)\n'),
    'make',
    change,
    script,
  ],
  [
    'one that a function of make puts together',
    make('all:\n\tsh $(addsuffix .sh,x)\n'),
    'make',
    change,
    script,
  ],
  ['one that the command names', make('all:\n\tsh $(S)\n'), 'make S=x.sh', change, script],
  ['one of a target’s own', make('all: S = x.sh\nall:\n\tsh $(S)\n'), 'make', change, script],
  ['one in $(shell …)', make('S = x.sh\nX := $(shell sh $(S))\nall:\n\ttrue\n'), 'make', change, script],
  ['the shell of make', make('SHELL = ./x.sh\nall:\n\ttrue\n'), 'make', change, script],
  ['a recipe of a pattern', make('all: x.out\n%.out: %.sh\n\tsh $<\n'), 'make', change, script],
  [
    'a recipe of an old-style rule',
    make('.SUFFIXES: .sh .out\nall: x.out\n.sh.out:\n\tsh $<\n'),
    'make',
    change,
    script,
  ],
  ['a target behind a variable', make('T = go\nall: $(T)\ngo:\n\tsh x.sh\n'), 'make', change, script],
  ['a program of a script by a variable', { 's.sh': 'TOOL=./x.sh\n$TOOL\n' }, 'sh s.sh', change, script],
  ['one that a loop names', { 's.sh': 'for f in x y; do sh "$f.sh"; done\n' }, 'sh s.sh', change, script],
  ['one that is given to a script', { 's.sh': 'exec "$@"\n' }, 'sh s.sh sh x.sh', change, script],
  [
    'one that is given to a function',
    { 's.sh': 'run() { "$@"; }\nrun sh x.sh\n' },
    'sh s.sh',
    change,
    script,
  ],
  ['one that is put together', { 's.sh': 'a=x; b=sh\n"./$(echo $a.$b)"\n' }, 'sh s.sh', change, script],
  [
    'a script that a shell is fed',
    { 's.sh': 'sh < x\n' },
    'sh s.sh',
    write('x', 'touch evil\n'),
    write('x', ''),
  ],
  ['one that python is fed', { 's.sh': 'cat x | python3\n' }, 'sh s.sh', write('x', '1\n'), write('x', '')],
  [
    'one that find starts',
    { 's.sh': 'find d -type f -exec sh {} \\;\n' },
    'sh s.sh',
    write('d/x', 'touch evil\n'),
    write('d/x', ''),
  ],
  [
    'one that xargs starts',
    { 's.sh': 'ls d/* | xargs -n1 sh\n' },
    'sh s.sh',
    write('d/x', 'touch evil\n'),
    write('d/x', ''),
  ],
  [
    'one that runs at the end',
    { 's.sh': "trap 'sh x' EXIT\n" },
    'sh s.sh',
    write('x', 'touch evil\n'),
    write('x', ''),
  ],
  ['one behind an alias', { 's.sh': 'alias t=./x\nt\n' }, 'sh s.sh', write('x', evil), write('x', good)],
  ['one behind sudo', { 's.sh': 'sudo -n sh x\n' }, 'sh s.sh', write('x', 'touch evil\n'), write('x', '')],
  [
    'one in rules that make evaluates',
    make('define R\nall:\n\tsh $(A).$(B)\nendef\nA = x\nB = sh\n$(eval $(R))\n'),
    'make',
    change,
    script,
  ],
  [
    'a text that eval takes from a file',
    {},
    'eval "$(cat x)"',
    write('x', 'touch evil\n'),
    write('x', 'true\n'),
  ],
  [
    'the same in a script',
    { 's.sh': 'eval "$(cat x)"\n' },
    'sh s.sh',
    write('x', 'touch evil\n'),
    write('x', 'true\n'),
  ],
  [
    'the same by a redirection',
    { 's.sh': 'read -r l < conf.txt; eval "$l"\n' },
    'sh s.sh',
    write('conf.txt', 'touch evil\n'),
    write('conf.txt', 'true\n'),
  ],
  [
    'what is sourced after a cd in a condition',
    { 's.sh': '[ -d d ] && cd d\n. ./lib.sh\n' },
    'sh s.sh',
    deepEvil,
    deep,
  ],
  ['the same in an if', { 's.sh': 'if true; then cd d; fi\n. ./lib.sh\n' }, 'sh s.sh', deepEvil, deep],
  ['the same in a case', { 's.sh': 'case $1 in *) cd d;; esac\n. ./lib.sh\n' }, 'sh s.sh', deepEvil, deep],
  ['the same in a loop', { 's.sh': 'for i in 1; do cd d; done\n. ./lib.sh\n' }, 'sh s.sh', deepEvil, deep],
  [
    'what is sourced after a cd that fails',
    { 's.sh': 'cd none; . ./lib.sh\n' },
    'sh s.sh',
    write('lib.sh', 'touch evil\n'),
    deep,
  ],
  ['a script after a cd in a condition', npmTest('test -d d && cd d; sh lib.sh'), 'npm test', deepEvil, deep],
  ['a line whose folder a condition decides', {}, '[ -d d ] && cd d; . ./lib.sh', deepEvil, deep],
  [
    'a manifest, where an option hides the script',
    npmTest('true'),
    'npm run --loglevel x test',
    write('package.json', npmTest('touch evil')['package.json'] ?? ''),
  ],
];

test.each(attacks)('%s', async (_name, ...attack) => {
  await expectAskedAgain(...attack);
});

test.each([
  ['a known variable of make', make('CC ?= cc\nS = x.sh\nall:\n\t@$(CC) --version\n\tsh $(S)\n'), 'make', ''],
  ['a variable of make that nobody sets', make('all:\n\t$(TOOL)\n'), 'make', 'which program it starts'],
  ['a known variable of a script', { 's.sh': `S="\${S:-x.sh}"\nsh "$S"\n` }, 'sh s.sh', ''],
  [
    'a variable that only running would tell',
    { 's.sh': '"$(echo ./x.sh)"\n' },
    'sh s.sh',
    'which program it starts',
  ],
])('%s says whether it can be remembered', async (_name, files, command, unknown) => {
  const found: string[] = [];
  await using bench = await processBench({
    files: { ...files, 'x.sh': good },
    human: ({ plan }) => {
      found.push(plan.command?.parts[0]?.execution?.unknown ?? '');
      return { kind: 'reject' };
    },
  });
  await bench.run(command);
  expect(found).toEqual([expect.stringContaining(unknown)]);
  expect(found[0] === '').toBe(unknown === '');
});

test('a file that is no code may change while a human looks at a command of which not everything is known', async () => {
  let root = '';
  let askCount = 0;
  await using bench = await processBench({
    files: { 'notes.txt': 'a\n', 'server.log': '' },
    human: () => {
      askCount++;
      write('server.log', `${askCount}\n`)(root);
      write('notes.txt', `${askCount}\n`)(root);
      return { kind: 'approve' };
    },
  });
  root = bench.root;
  expect(await bench.run('eval "$(echo true)"')).toMatchObject({ data: { exit_code: 0 } });
  expect(askCount).toBe(1);
});
