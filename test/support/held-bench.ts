// A workspace in trusted mode in which scripts run unasked, and what the user's own git would run there.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Workbench, workbench } from './workbench.ts';

export type Held = { path: string; change: string; trash_id: string };

export type HeldBench = Workbench & {
  git(...args: string[]): void;
  /** Runs a script of the workspace, which trusted mode does unasked. */
  unasked(script: string): Promise<{ held: Held[]; notes: string[] }>;
  /** The same behind a line of git that only reads; the exit code of the script. */
  behindGit(script: string): Promise<unknown>;
  /** Whether the user's git ran the planted program. */
  usersGit(folder: string, ...args: string[]): boolean;
};

export async function heldBench(): Promise<HeldBench> {
  const bench = await workbench({ files: { 'a.txt': 'a\n', 'src/b.txt': 'b\n' }, mode: 'trusted' });
  return Object.assign(bench, {
    git(...args: string[]) {
      const userSettings = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
      execFileSync('git', [...userSettings, ...args], { cwd: bench.root, stdio: 'ignore' });
    },
    async behindGit(script: string) {
      writeFileSync(join(bench.root, 'script.sh'), script);
      const outcome = await bench.call('run_command', { command: 'git status -s; sh script.sh' });
      return outcome.status === 'completed' ? outcome.data.exit_code : outcome.status;
    },
    async unasked(script: string) {
      writeFileSync(join(bench.root, 'script.sh'), script);
      const outcome = await bench.call('run_command', { command: 'sh script.sh' });
      expect(outcome).toMatchObject({ status: 'completed', data: { exit_code: 0 } });
      const { data } = outcome as unknown as { data: { held_back?: Held[]; notes?: string[] } };
      return { held: data.held_back ?? [], notes: data.notes ?? [] };
    },
    usersGit(folder: string, ...args: string[]) {
      const trace = join(bench.folder, 'trace');
      spawnSync('git', args, { cwd: join(bench.root, folder), env: { ...process.env, TRACE: trace } });
      return existsSync(trace);
    },
  });
}

export const pathsOf = (heldFiles: readonly Held[]): string[] => heldFiles.map(({ path }) => path).sort();

/** Lines that give a repository a monitor, which leaves a trace. */
export const armed = (folder: string): string =>
  `printf '#!/bin/sh\\ntouch "$TRACE"\\n' > ${folder}/evil.sh && chmod +x ${folder}/evil.sh &&
   git -C ${folder} config core.fsmonitor "$PWD/${folder}/evil.sh"`;
