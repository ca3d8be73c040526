// Runs test scripts of git with the installed git, behind a `git` that records input and result of every `git apply`.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Options = { source: string; records: string; scripts: readonly string[] };

export function recordScripts({ source, records, scripts }: Options): void {
  const tests = join(source, 't');
  if (!existsSync(join(tests, 'helper/test-tool')) || !existsSync(join(source, 'templates/blt')))
    throw new Error(
      'Build the helpers in the sources of git: make GIT-BUILD-OPTIONS t/helper/test-tool && make -C templates',
    );
  const folder = mkdtempSync(join(tmpdir(), 'codelab-git-scripts-'));
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const env = {
    ...process.env,
    GIT_TEST_INSTALLED: standIn(folder, git),
    LOCKSTEP_GIT: git,
    LOCKSTEP_RECORDS: records,
  };
  const chosenScripts =
    scripts.length > 0 ? scripts : readdirSync(tests).filter((name) => /^t41[0-4]\d-.*\.sh$/.test(name));
  try {
    for (const script of chosenScripts.toSorted()) {
      const { status } = spawnSync('sh', [script, `--root=${join(folder, 'trash')}`], {
        cwd: tests,
        env: { ...env, LOCKSTEP_SCRIPT: script },
      });
      if (status !== 0) console.error(`${script} ended with ${status}: some of its calls may be missing.`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function standIn(folder: string, git: string): string {
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  const recorder = join(import.meta.dirname, 'record-child.ts');
  const lines = [
    '#!/bin/sh',
    `if test "$1" = apply; then exec '${process.execPath}' '${recorder}' "$@"; fi`,
    `exec '${git}' "$@"`,
  ];
  writeFileSync(join(programs, 'git'), `${lines.join('\n')}\n`);
  chmodSync(join(programs, 'git'), 0o755);
  return programs;
}
