// `codelab log copy` as a whole process, between SQLite and a real nats-server, and what it refuses.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EventBody, SessionLog } from '@codelab/protocol';
import { openSqliteLog } from '@codelab/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openJetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';
import { type NatsServers, natsProgram, startNatsServers } from '../support/nats-servers.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const opened = (extra: object = {}): EventBody => ({ type: 'session.opened', workspace: '/w', ...extra });
const titledEvent = (title: string): EventBody => ({ type: 'session.titled', title });
const started: EventBody = { type: 'call.started', callId: 'c', args: {}, intents: [], slot: 's' } as never;
const never = new AbortController().signal;
const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');
const oddTitles = [`long ${'é'.repeat(40_000)}`, '\0blob:abc', 'ünï 😀 \u2028 "quoted"', 'x'.repeat(700_000)];

async function write(log: SessionLog, session: string, ...groups: EventBody[][]): Promise<void> {
  let expected = (await log.read(session)).length;
  for (const bodies of groups) expected = (await log.append(session, bodies, { expected })).at(-1)?.seq ?? 0;
}

describe.skipIf(natsProgram === undefined)('log copy', { timeout: 60_000 }, () => {
  let servers: NatsServers;
  const scratch = scratchFolder({ files: {} });
  const home = join(scratch.folder, 'home');
  const backup = `sqlite:${join(scratch.folder, 'backup.db')}`;
  beforeAll(async () => {
    servers = await startNatsServers();
    mkdirSync(home, { recursive: true });
  });
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]();
    scratch[Symbol.dispose]();
  });

  function codelab(args: string[], env: NodeJS.ProcessEnv = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
      encoding: 'utf8',
      env: { ...process.env, CODELAB_HOME: home, CODELAB_KEYS: join(scratch.folder, 'keys'), ...env },
    });
    return { code: status, stdout, stderr };
  }
  const copy = (...args: string[]) => {
    const { code, stdout, stderr } = codelab(['log', 'copy', ...args, '--json']);
    return { code, stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) };
  };

  test('brings every entry over with number, time and hash, there and back, and goes on where it was', async () => {
    const target = `${servers.url}/copied`;
    const ownLog = openSqliteLog(home);
    await write(
      ownLog,
      's1',
      [opened(), titledEvent('one')],
      ...oddTitles.map((text) => [titledEvent(text)]),
    );
    await write(ownLog, 's.2', [opened({ forkedFrom: { session: 's1', seq: 2 } })]);
    expect(copy('home', target)).toMatchObject({ code: 0, copied: 2, entries: 7, present: 0, failed: [] });
    await using remote = await disposable(openJetStreamLog(target));
    expect(await remote.read('s1')).toEqual(await ownLog.read('s1'));
    expect(codelab(['audit', 'verify'], { CODELAB_LOG: target })).toMatchObject({ code: 0 });

    await write(ownLog, 's1', [titledEvent('later')]);
    expect(copy('home', target)).toMatchObject({ code: 0, copied: 1, entries: 1, present: 1 });
    // The copy went on, which the original did not: there is nothing to do.
    await write(remote, 's.2', [titledEvent('there only')]);
    expect(copy('home', target)).toMatchObject({ code: 0, copied: 0, present: 2 });
    expect(copy(target, backup, 's.2')).toMatchObject({ code: 0, copied: 1, entries: 2 });
    expect(copy(target, backup)).toMatchObject({ code: 0, copied: 1, present: 1 });
    expect(codelab(['audit', 'verify'], { CODELAB_LOG: backup }).code).toBe(0);
    const back = openSqliteLog(home, join(scratch.folder, 'backup.db'));
    for (const id of ['s1', 's.2']) expect(await back.read(id)).toEqual(await remote.read(id));
    expect(await back.prove('s1', never)).toBeUndefined();
    await Promise.all([ownLog.close(), back.close()]);
  });

  test('refuses, by session, what went on in both, what runs, and what was changed', async () => {
    const target = `${servers.url}/refused`;
    const ownLog = openSqliteLog(join(scratch.folder, 'other'));
    await using remote = await disposable(openJetStreamLog(target));
    for (const [log, text] of [
      [ownLog, 'here'],
      [remote, 'there'],
    ] as const)
      await write(log, 'both', [opened()], [titledEvent(text)]);
    await write(ownLog, 'runs', [opened(), started]);
    await write(ownLog, 'fine', [opened()]);
    await write(ownLog, 'forged', [opened(), titledEvent('approved by ann')]);
    await ownLog.close();
    using db = new DatabaseSync(join(scratch.folder, 'other', 'sessions.db'));
    db.exec("UPDATE events SET json = replace(json, 'ann', 'eve') WHERE session = 'forged'");
    const result = codelab(['log', 'copy', 'home', target], { CODELAB_HOME: join(scratch.folder, 'other') });
    expect(result).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Copied 1 session, 1 entry'),
    });
    expect(result.stdout).toMatch(/Not copied: both\. .* they differ from entry \d+ on/);
    expect(result.stdout).toMatch(/Not copied: runs\. .*codelab sessions settle/);
    expect(result.stdout).toMatch(/Not copied: forged\. Entry 2 was changed/);
    expect(await remote.read('forged')).toEqual([]);
    expect((await remote.read('both')).at(-1)?.body).toEqual(titledEvent('there'));
    expect(await remote.read('runs')).toEqual([]);
  });

  test('says what is wrong with FROM and TO', () => {
    const wrong: [string[], string][] = [
      [[backup, backup], 'the same log'],
      [[`sqlite:${scratch.folder}/none.db`, backup], 'There is no session log'],
      [[`${servers.url}/empty`, backup], 'There are no sessions'],
      [['file.db', backup], 'sqlite:PATH or nats://HOST:PORT'],
      [['nats://127.0.0.1:1', backup], 'start it, or correct --log'],
    ];
    for (const [args, text] of wrong) {
      const { code, stderr } = codelab(['log', 'copy', ...args]);
      expect({ code, stderr }, text).toEqual({
        code: expect.any(Number),
        stderr: expect.stringContaining(text),
      });
      expect(code, text).not.toBe(0);
    }
  });
});

async function disposable(opening: Promise<SessionLog>): Promise<SessionLog & AsyncDisposable> {
  const log = await opening;
  return { ...log, [Symbol.asyncDispose]: () => log.close() };
}
