// A log with two sealed sessions, a key folder beside it, and `codelab audit` as a process.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody } from '@codelab/protocol';
import { openSqliteLog, type SqliteLog } from '@codelab/server';
import type { Sealing } from '../../apps/server/src/log/seals/sealer.ts';
import { codelabProgram } from './codelab-program.ts';

export const opened: EventBody = { type: 'session.opened', workspace: '/w' };
export const titledEvent = (title: string): EventBody => ({ type: 'session.titled', title });
export const ended: EventBody = { type: 'turn.ended', turn: 1, end: 'completed' };

type Ran = { code: number | null; stdout: string; stderr: string };

export type AuditBench = Disposable & {
  folder: string;
  home: string;
  keys: string;
  file: string;
  open(sealing?: Sealing): SqliteLog;
  /** Appends to a session and closes the log, which seals it. */
  record(session: string, expected: number, bodies: readonly EventBody[]): Promise<void>;
  codelab(...args: string[]): Ran;
  /** `audit verify --json`, with its exit code. */
  // biome-ignore lint/suspicious/noExplicitAny: a report read back from JSON
  verify(...args: string[]): Record<string, any>;
  attack(name: string): void;
};

export async function auditBench(): Promise<AuditBench> {
  const folder = mkdtempSync(join(tmpdir(), 'codelab-audit-'));
  const [home, keys] = [join(folder, 'home'), join(folder, 'keys')];
  const env = { ...process.env, CODELAB_HOME: home, CODELAB_KEYS: keys };
  const run = (args: readonly string[]): Ran => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      env,
      cwd: folder,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };
  const bench: AuditBench = {
    folder,
    home,
    keys,
    file: join(home, 'sessions.db'),
    open: (sealing = {}) => openSqliteLog(home, undefined, { keys, ...sealing }),
    async record(session, expected, bodies) {
      const log = bench.open();
      await log.append(session, bodies, { expected });
      await log.close();
    },
    codelab: (...args) => run([codelabProgram, ...args]),
    verify(...args) {
      const { code, stdout, stderr } = bench.codelab('audit', 'verify', '--json', ...args);
      if (stdout === '') throw new Error(stderr);
      return { code, ...JSON.parse(stdout) };
    },
    attack(name) {
      const { code, stderr } = run([join(import.meta.dirname, 'attacker.ts'), bench.file, name]);
      if (code !== 0) throw new Error(stderr);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
  await bench.record('s1', 0, [opened, titledEvent('first'), titledEvent('second')]);
  await bench.record('s2', 0, [opened, titledEvent('other')]);
  return bench;
}
