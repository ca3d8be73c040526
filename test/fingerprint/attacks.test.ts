// The approved code is the code that runs: a script, manifest, module, include or folder that changes between the approval and the run
// needs a new approval, with its new body.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest } from '@codelab/protocol';
import { describe, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { processBench } from '../support/process-bench.ts';

type Attack = {
  name: string;
  files: Record<string, string>;
  command: string;
  cwd?: string;
  prepare?: (root: string) => void;
  /** Done after the human has looked, before they say yes. */
  change: (root: string) => void;
  /** The new part of the second approval. */
  shows?: string;
};

const write =
  (path: string, text: string) =>
  (root: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  };
const manifest = (scripts: Record<string, string>): string => JSON.stringify({ name: 'x', scripts });

const attacks: Attack[] = [
  {
    name: 'the script of `npm run build`',
    files: { 'package.json': manifest({ build: 'echo good' }) },
    command: 'npm run build',
    change: write('package.json', manifest({ build: 'touch evil' })),
    shows: 'npm run build runs: touch evil',
  },
  {
    name: 'a script that runs before it',
    files: { 'package.json': manifest({ build: 'echo good' }) },
    command: 'npm run build',
    change: write('package.json', manifest({ build: 'echo good', prebuild: 'touch evil' })),
    shows: 'npm run prebuild runs: touch evil',
  },
  {
    name: 'a script that the script runs',
    files: { 'package.json': manifest({ test: 'npm run other', other: 'echo good' }) },
    command: 'npm test',
    change: write('package.json', manifest({ test: 'npm run other', other: 'touch evil' })),
    shows: 'npm run other runs: touch evil',
  },
  {
    name: 'a planted .npmrc with a script-shell',
    files: { 'package.json': manifest({ test: 'echo good' }), 'shell.sh': '#!/bin/sh\ntouch evil\n' },
    command: 'npm test',
    change: write('.npmrc', 'script-shell=./shell.sh\n'),
    shows: '.npmrc sets script-shell: ./shell.sh',
  },
  {
    name: 'the file that a script’s first word leads to',
    files: { 'package.json': manifest({ test: 'node t.js' }), 't.js': 'console.log(1)\n' },
    command: 'npm test',
    change: write('t.js', 'require("fs").writeFileSync("evil", "")\n'),
    shows: 'writeFileSync',
  },
  {
    name: 'a program in node_modules/.bin',
    files: { 'package.json': manifest({ test: 'checker' }), 'node_modules/.bin/checker': '#!/bin/sh\n' },
    command: 'npm test',
    change: write('node_modules/.bin/checker', '#!/bin/sh\ntouch evil\n'),
  },
  {
    name: 'the Makefile',
    files: { Makefile: 'all:\n\techo good\n' },
    command: 'make',
    change: write('Makefile', 'all:\n\ttouch evil\n'),
    shows: 'make all runs: touch evil',
  },
  {
    name: 'a file that the Makefile includes',
    files: { Makefile: 'include rules/*.mk\n', 'rules/a.mk': 'all:\n\techo good\n' },
    command: 'make',
    change: write('rules/a.mk', 'all:\n\ttouch evil\n'),
    shows: 'make all runs: touch evil',
  },
  {
    name: 'a planted GNUmakefile',
    files: { Makefile: 'all:\n\techo good\n' },
    command: 'make',
    change: write('GNUmakefile', 'all:\n\ttouch evil\n'),
    shows: 'make all runs: touch evil',
  },
  {
    name: 'a script that a recipe starts',
    files: { Makefile: 'all:\n\t@sh s.sh\n', 's.sh': 'echo good\n' },
    command: 'make',
    change: write('s.sh', 'touch evil\n'),
    shows: 's.sh: touch evil',
  },
  {
    name: 'a program named by its path',
    files: {},
    prepare: write('s.sh', '#!/bin/sh\necho good\n'),
    command: './s.sh',
    change: write('s.sh', '#!/bin/sh\ntouch evil\n'),
    shows: 'touch evil',
  },
  {
    name: 'a script that a shell is given',
    files: { 's.sh': 'echo good\n' },
    command: 'sh -e s.sh',
    change: write('s.sh', 'touch evil\n'),
    shows: 's.sh: touch evil',
  },
  {
    name: 'a file that the script sources',
    files: {
      's.sh': '. ./lib/a.sh\n',
      'lib/a.sh': '. "$(dirname "$0")/lib/b.sh"\n',
      'lib/b.sh': 'echo good\n',
    },
    command: 'sh s.sh',
    change: write('lib/a.sh', 'touch evil\n'),
    shows: 'lib/a.sh: touch evil',
  },
  {
    name: 'a file that is sourced by the folder of the script',
    files: {
      'bin/s.sh': 'DIR="$(cd "$(dirname "$0")" && pwd)"\n. "$DIR/b.sh"\n',
      'bin/b.sh': 'echo good\n',
    },
    command: 'sh bin/s.sh',
    change: write('bin/b.sh', 'touch evil\n'),
    shows: 'bin/b.sh: touch evil',
  },
  {
    name: 'a script that node is given',
    files: { 'x.js': '1\n' },
    command: 'node x.js',
    change: write('x.js', 'require("fs").writeFileSync("evil", "")\n'),
  },
  {
    name: 'a module of python',
    files: { 'mod.py': 'print(1)\n' },
    command: 'python3 -m mod',
    change: write('mod.py', 'open("evil", "w")\n'),
    shows: 'mod.py: open("evil", "w")',
  },
  {
    name: 'a package of python',
    files: { 'pkg/__init__.py': '', 'pkg/__main__.py': 'print(1)\n' },
    command: 'python3 -m pkg',
    change: write('pkg/__init__.py', 'open("evil", "w")\n'),
  },
  {
    name: 'a planted conftest.py',
    files: { 'test_a.py': 'def test_a(): pass\n' },
    command: 'pytest test_a.py',
    change: write('conftest.py', 'open("evil", "w")\n'),
  },
  {
    name: 'a link on the way to the folder',
    files: { 'a/Makefile': 'all:\n\techo good\n', 'b/Makefile': 'all:\n\ttouch ../evil\n' },
    command: 'make',
    cwd: 'link',
    prepare: (root) => symlinkSync('a', join(root, 'link')),
    change: (root) => {
      rmSync(join(root, 'link'));
      symlinkSync('b', join(root, 'link'));
    },
    shows: 'make all runs: touch ../evil',
  },
  {
    name: 'another folder under the same name',
    files: { 'a/x': '', 'b/x': '' },
    command: 'touch evil',
    cwd: 'a',
    change: (root) => {
      renameSync(join(root, 'a'), join(root, 'c'));
      renameSync(join(root, 'b'), join(root, 'a'));
    },
  },
  {
    name: 'a planted .cargo/config.toml',
    files: { 'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\n', 'src/main.rs': 'fn main() {}\n' },
    command: 'cargo build --offline',
    change: write('.cargo/config.toml', '[build]\nrustc-wrapper = "./evil.sh"\n'),
    shows: '.cargo/config.toml sets: rustc-wrapper = "./evil.sh"',
  },
];

describe('changed between the approval and the run', () => {
  test.each(attacks)('$name', async ({ files, command, cwd, prepare, change, shows }) => {
    const approvals: ApprovalRequest[] = [];
    let root = '';
    await using bench = await processBench({
      files,
      human: (approval) => {
        approvals.push(approval);
        if (approvals.length > 1) return { kind: 'reject' };
        change(root);
        return { kind: 'approve' };
      },
    });
    root = bench.root;
    prepare?.(root);
    const outcome = await bench.run(command, cwd === undefined ? {} : { cwd });
    expect(codeOf(outcome)).toBe('REJECTED');
    expect(approvals).toHaveLength(2);
    expect(approvals[1]?.again).toContain('changed in the meantime');
    const [before, after] = approvals.map(({ plan }) => plan.notes.join('\n'));
    if (shows !== undefined) expect(after).toContain(shows);
    if (shows !== undefined) expect(before).not.toContain(shows);
  });

  test('a hook of git', async () => {
    const approvals: ApprovalRequest[] = [];
    let root = '';
    await using bench = await processBench({
      human: (approval) => {
        approvals.push(approval);
        if (approvals.length > 2) return { kind: 'reject' };
        if (approvals.length === 2) write('.git/hooks/pre-commit', '#!/bin/sh\ntouch evil\n')(root);
        return { kind: 'approve' };
      },
    });
    root = bench.root;
    await bench.run('git init -q .');
    expect(codeOf(await bench.run('git commit -q --allow-empty -m x'))).toBe('REJECTED');
    expect(approvals.at(-1)?.plan.notes.join('\n')).toContain("git's hook pre-commit: #!/bin/sh⏎touch evil");
  });
});
