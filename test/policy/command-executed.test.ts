// Lines that the classifier lets run unasked are really run, under a tracer: only the named programs start, and nothing changes.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeGitEnvironment } from '../../packages/runtime/src/policy/shell/git/git-settings.ts';
import { readLine } from '../../packages/runtime/src/policy/shell/read-line.ts';
import { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';
import { readCorpus } from '../support/read-corpus.ts';
import { sampleRepository } from '../support/sample-repository.ts';
import { shellSoup } from '../support/shell-soup.ts';
import { treeState } from '../support/tree-state.ts';

const hasTracer = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;

// These say something about the machine that a tracer or a container may lack, or take long.
const skipped = /^(sleep|free|ps|tree|rg|jq|xxd|npm|python3|uptime|hostname)\b/;

const reading = fc.constantFrom(
  'ls',
  'ls -la src',
  'cat src/a.ts',
  'cat src/*.ts',
  'head -2 README.md',
  'grep -n foo src/a.ts',
  'grep -rn export src',
  'git status -s',
  'git log --oneline -2',
  'git diff HEAD',
  'wc -l src/*',
  'sed -n 1,2p src/b.ts',
  "awk '{print $1}' README.md",
  'find . -name "*.ts"',
  'sort README.md',
  'echo "$HOME" *',
  'printf "%s" x',
  'test -f README.md',
  'cd src',
  'env',
  'nice ls',
  'timeout 5 cat README.md',
  'echo \'a;b\' "c|d"',
);
const joint = fc.constantFrom(' | ', ' && ', ' || ', '; ', '\n', ' 2>/dev/null; ', ' & ');
const wrap = fc.constantFrom<(line: string) => string>(
  (line) => line,
  (line) => `( ${line} )`,
  (line) => `{ ${line}\n}`,
  (line) => `if ${line}\nthen true; fi`,
  (line) => `for i in 1 2; do ${line}\ndone`,
  (line) => `! ${line}`,
);
const generated = fc
  .tuple(fc.array(fc.tuple(reading, joint), { minLength: 1, maxLength: 4 }), reading, wrap)
  .map(([steps, last, wrap]) => wrap(`${steps.flat().join('')}${last}`));

describe.runIf(hasTracer)('under a tracer', { timeout: 120_000 }, () => {
  test('only named programs start, and no file changes', async () => {
    using scratch = sampleRepository();
    using workspace = Workspace.open(scratch.root);
    const everyday = readCorpus('everyday.txt')
      .map(({ line }) => line)
      .filter((line) => !skipped.test(line));
    const lines = [
      ...everyday,
      ...fc.sample(generated, { numRuns: 80, seed: 7 }),
      ...fc.sample(shellSoup, { numRuns: 3000, seed: 3 }),
    ];
    const before = treeState(scratch.root);
    let ran = 0;
    for (const line of lines) {
      const { parts } = await readLine(line, { workspace, cwd: '' });
      if (parts.some(({ verdict }) => verdict !== 'allow')) continue;
      ran++;
      const names = new Set(['sh', 'bash', ...parts.map(({ words }) => words[0] ?? '')]);
      expect({
        line,
        unnamed: started(ran % 2 === 0 ? 'sh' : 'bash', line, scratch).filter((name) => !names.has(name)),
      }).toEqual({
        line,
        unnamed: [],
      });
    }
    expect(ran).toBeGreaterThan(190);
    expect(treeState(scratch.root)).toEqual(before);
  });
});

function started(shell: string, line: string, { root, folder }: { root: string; folder: string }): string[] {
  const trace = join(folder, 'trace');
  const { PATH = '' } = process.env;
  spawnSync(
    'strace',
    ['-f', '-qq', '-e', 'trace=execve', '-e', 'signal=none', '-o', trace, shell, '-c', line],
    {
      cwd: root,
      env: { PATH, HOME: folder, ...safeGitEnvironment() },
      timeout: 20_000,
      stdio: 'ignore',
    },
  );
  const calls = readFileSync(trace, 'utf8').matchAll(/execve\("([^"]+)".*= 0$/gm);
  return [...new Set([...calls].map(([, path = '']) => basename(path)))];
}
