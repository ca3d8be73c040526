// Anchors: the latest seal is written to places outside of the machine's reach, and the log is compared with them.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AuditBench, auditBench, opened, titledEvent } from '../support/audit-bench.ts';
import { workbench } from '../support/workbench.ts';

type Setting = Record<string, string>;

function configure({ home }: AuditBench, anchors: Setting[]): void {
  writeFileSync(join(home, 'config.json'), JSON.stringify({ audit: { anchors } }));
}

/** Any command that seals. */
function seal(bench: AuditBench): void {
  bench.codelab('sessions', 'delete', 's2');
}

function git(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.anything()]);
  return stdout;
}

function repositoryIn(bench: AuditBench): string {
  const repository = join(bench.folder, 'repository');
  mkdirSync(repository);
  git(repository, 'init', '-q');
  return repository;
}

async function sink(status: number): Promise<AsyncDisposable & { url: string; got: unknown[] }> {
  const received: unknown[] = [];
  const server = createServer((request, reply) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      received.push(JSON.parse(text));
      reply.writeHead(status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/seals?token=hidden`;
  return { url, got: received, [Symbol.asyncDispose]: async () => void server.close() };
}

const line = {
  log: expect.stringMatching(/^[0-9a-f]{32}$/),
  n: 3,
  hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  time: expect.any(Number),
  key: expect.stringMatching(/^SHA256:/),
  signature: expect.any(String),
};

describe('an anchor', () => {
  test('in a file gets a line for each seal, and the log must have what stands there', async () => {
    using bench = await auditBench();
    const file = join(bench.folder, 'anchor.jsonl');
    configure(bench, [{ file }]);
    seal(bench);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(line);
    const anchor = { anchor: `file ${file}`, seal: 3, status: 'matches' };
    expect(bench.verify()).toMatchObject({ code: 0, anchors: [anchor] });
    expect(bench.codelab('audit', 'verify').stdout).toContain(`✔ anchored  file ${file}, up to seal 3`);
  });

  test('finds out who has the key as well and goes on from an older state with another history', async () => {
    using bench = await auditBench();
    const file = join(bench.folder, 'anchor.jsonl');
    configure(bench, [{ file }]);
    for (const folder of [bench.home, bench.keys]) cpSync(folder, `${folder}-before`, { recursive: true });
    seal(bench);
    for (const folder of [bench.home, bench.keys]) {
      rmSync(folder, { recursive: true });
      renameSync(`${folder}-before`, folder);
    }
    await bench.record('forged', 0, [opened, titledEvent('nothing happened')]);
    const { code, problem, proof } = bench.verify();
    expect([code, problem]).toEqual([1, expect.stringContaining('Seal 3 is there, but not in the log')]);
    expect(proof.entries).toMatchObject({ proven: 7, unsealed: 0 });
  });

  test('in whose place somebody has put a pipe is told, and nobody waits for it', async () => {
    using bench = await auditBench();
    const file = join(bench.folder, 'anchor.jsonl');
    configure(bench, [{ file }]);
    seal(bench);
    rmSync(file);
    expect(spawnSync('mkfifo', [file]).status).toBe(0);
    expect(JSON.stringify(bench.verify())).toContain('is not a regular file');
  });

  test('that is taken out of the settings is compared all the same', async () => {
    using bench = await auditBench();
    const file = join(bench.folder, 'anchor.jsonl');
    configure(bench, [{ file }]);
    seal(bench);
    configure(bench, []);
    expect(bench.verify()).toMatchObject({ code: 0, anchors: [{ status: 'matches' }] });
    writeFileSync(file, '');
    expect(bench.verify()).toMatchObject({ code: 1, problem: expect.stringContaining('is missing now') });
  });

  test('in a git ref is a chain of commits that nothing else sees', async () => {
    using bench = await auditBench();
    const repository = repositoryIn(bench);
    // A hook of the repository must not run.
    writeFileSync(
      join(repository, '.git/hooks/reference-transaction'),
      `#!/bin/sh\ntouch ${bench.folder}/ran\n`,
      {
        mode: 0o755,
      },
    );
    configure(bench, [{ git_ref: 'refs/codelab/audit', repository }]);
    seal(bench);
    bench.codelab('sessions', 'delete', 's1');
    expect(JSON.parse(git(repository, 'log', '-1', '--format=%B', 'refs/codelab/audit'))).toEqual({
      ...line,
      n: 4,
    });
    expect(git(repository, 'rev-list', '--count', 'refs/codelab/audit').trim()).toBe('2');
    expect(git(repository, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(bench.folder, 'ran'))).toBe(false);
    expect(bench.verify()).toMatchObject({ code: 0, anchors: [{ status: 'matches', seal: 4 }] });
    git(repository, 'update-ref', '-d', 'refs/codelab/audit');
    expect(bench.verify().anchors).toMatchObject([
      { status: 'unread', problem: expect.stringContaining('There is no') },
    ]);
  });

  test('behind an address gets the seal, and is said not to be compared', async () => {
    using bench = await auditBench();
    await using server = await sink(200);
    const log = bench.open({ anchors: [{ url: server.url }] });
    await log.append('s2', [titledEvent('more')], { expected: 2 });
    await log.close();
    expect(server.got).toEqual([line]);
    const { code, anchors } = bench.verify();
    expect([code, anchors]).toEqual([
      0,
      [{ anchor: server.url.replace(/\?.*/, ''), status: 'unread', seal: 3 }],
    ]);
  });

  test('that can’t be reached fails nothing, and is told by the log, verify and doctor', async () => {
    using bench = await auditBench();
    await using server = await sink(500);
    const problems: string[] = [];
    const anchors = [{ url: server.url }, { file: '/proc/nowhere/anchor' }];
    const log = bench.open({ anchors, onProblem: (text) => problems.push(text) });
    await log.append('s2', [titledEvent('more')], { expected: 2 });
    await log.close();
    expect(problems.toSorted()).toEqual([
      expect.stringContaining('/proc/nowhere/anchor could not be written'),
      expect.stringContaining('It answered 500'),
    ]);
    expect(problems.join()).not.toContain('hidden');
    expect(bench.verify().anchors).toMatchObject([
      { status: 'unread', problem: expect.stringContaining('500') },
      { status: 'unread', problem: expect.stringContaining('ENOENT') },
    ]);
    expect(bench.codelab('doctor').stdout).toContain('an anchor could not be written');
  });

  test('whose settings can’t be read is left out, and the record is verified all the same', async () => {
    using bench = await auditBench();
    configure(bench, [{ file: 'relative' }]);
    const { code, stderr } = bench.codelab('audit', 'verify');
    expect([code, stderr]).toEqual([0, expect.stringContaining('No anchor is used')]);
  });

  test('is not taken from a workspace’s own settings', async () => {
    const config = JSON.stringify({ audit: { anchors: [{ file: '/tmp/x' }] } });
    await expect(workbench({ files: { '.codelab/config.json': config } })).rejects.toThrow(
      'the user’s own setting',
    );
  });
});
