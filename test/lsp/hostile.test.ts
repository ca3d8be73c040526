// Language servers that crash, hang, lie, flood and cling to life. Every question has an answer in bounded time that says how the server
// stands, files are read and written meanwhile, and no process is left.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingNotices } from '@codelab/runtime';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { fakeServer, type LspBench, lspBench } from '../support/lsp-bench.ts';

const files = {
  'a.fake': 'first word\nERROR 😀 ERROR here\n',
  'übung b.fake': 'the 😀 word\r\nand word\r\n',
};
const place = { path: 'a.fake', line: 0, symbol: 'word' };

async function benchWith(mode: string, extra: object = {}): Promise<LspBench> {
  return await lspBench({ files, lsp: { servers: { fake: fakeServer(mode) }, ...extra }, mode: 'review' });
}

/** Ends the host, and says how many of its processes are left. */
async function processesLeft(bench: LspBench): Promise<number> {
  await bench[Symbol.asyncDispose]();
  return bench.processes();
}

test('characters of a server that counts bytes are ours, in diagnostics, hover and renames, behind emoji and with CRLF', async () => {
  const bench = await benchWith('fine');
  expect(await bench.ask('lsp_diagnostics', { path: 'a.fake' })).toMatchObject({
    ok: true,
    count: 1,
    diagnostics: [{ range: { start: { line: 1, character: 0 }, end: { line: 1, character: 5 } } }],
  });
  const afterWide = { path: 'übung b.fake', line: 0, character: 7 };
  expect(await bench.ask('lsp_hover', afterWide)).toMatchObject({ ok: true, contents: 'word' });
  expect(await bench.ask('lsp_references', afterWide)).toMatchObject({
    count: 3,
    references: expect.arrayContaining([
      expect.objectContaining({
        path: 'übung b.fake',
        range: { start: { line: 0, character: 7 }, end: { line: 0, character: 11 } },
      }),
    ]),
  });
  await bench.ask('lsp_rename', { ...afterWide, new_name: 'name' });
  expect(readFileSync(join(bench.root, 'übung b.fake'), 'utf8')).toBe('the 😀 name\r\nand name\r\n');
  expect(readFileSync(join(bench.root, 'a.fake'), 'utf8')).toBe('first name\nERROR 😀 ERROR here\n');
  expect(await processesLeft(bench)).toBe(0);
});

test('one server answers all sessions, after being killed once more, and stops when nobody asks', async () => {
  const bench = await benchWith('fine', { idle_seconds: 1 });
  const calls = Array.from({ length: 20 }, (_, i) => bench.call('lsp_hover', place, { session: `s${i}` }));
  for (const outcome of await Promise.all(calls))
    expect(outcome).toMatchObject({ data: { contents: 'word' } });
  const processCount = bench.processes();
  const before = pidOf(bench);
  process.kill(before, 'SIGKILL');
  // The server's wrapper is gone immediately; the server itself may still answer for a moment.
  await expect.poll(() => pidOf(bench)).toBe(0);
  expect(await bench.ask('lsp_hover', place)).toMatchObject({ ok: true, contents: 'word' });
  expect(pidOf(bench)).not.toBe(before);
  await expect.poll(() => bench.processes()).toBe(processCount);
  await expect.poll(() => bench.processes()).toBe(0);
  expect(await bench.ask('lsp_hover', place)).toMatchObject({ ok: true });
  expect(await processesLeft(bench)).toBe(0);
});

function pidOf({ host }: LspBench): number {
  return host.lsp.opened()?.pool.running('a.fake')?.server.pid ?? 0;
}

test.each([
  ['garbage', /prints something that is no message: "Welcome/],
  ['endless', /prints something that is no message|no length|is no message/],
  ['crash', /It ended \(exit code 3\)\. It printed: fake: I can not go on/],
  ['huge', /sends a message of 209715200 bytes; more than 8388608 are not taken/],
  ['odd', /answer has an unknown form/],
  ['dies', /It ended \(exit code 1\)/],
])('a server that is %s is an error with its reason, and files are still read', async (mode, reason) => {
  const bench = await benchWith(mode);
  const answers = [await bench.ask('lsp_hover', place), await bench.ask('lsp_hover', place)];
  for (const answer of answers)
    expect(answer).toMatchObject({ ok: false, server_status: 'error', fallback: expect.any(String) });
  expect(String(answers[0]?.message)).toMatch(reason);
  expect(await bench.ask('read_file', { path: 'a.fake' })).toMatchObject({ content: files['a.fake'] });
  expect(process.memoryUsage().rss).toBeLessThan(1.5 * 1024 ** 3);
  expect(await processesLeft(bench)).toBe(0);
});

test('one that crashes in a loop is tried later and later, and says when', async () => {
  const bench = await benchWith('crash');
  const started = performance.now();
  for (let i = 0; i < 20; i++) await bench.ask('lsp_hover', place);
  const last = await bench.ask('lsp_hover', place);
  expect(String(last.message)).toMatch(/It is tried again in \d+ s\./);
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(await processesLeft(bench)).toBe(0);
});

test('a flood of diagnostics is taken without keeping it', async () => {
  const bench = await benchWith('flood');
  expect(await bench.ask('lsp_diagnostics', { path: 'a.fake' })).toMatchObject({ ok: true, count: 1 });
  expect(await processesLeft(bench)).toBe(0);
});

test('one that never answers initialize is given up, a caller who leaves does not wait, and files are written meanwhile', async () => {
  const bench = await benchWith('hangs');
  const pending = bench.call('lsp_hover', place, { signal: AbortSignal.timeout(300) });
  expect(await bench.ask('write_file', { path: 'b.txt', content: 'x\n' })).toMatchObject({
    operation: 'created',
  });
  expect(codeOf(await pending)).toBe('TIMEOUT');
  expect(bench.processes()).toBeGreaterThan(0);
  expect(await processesLeft(bench)).toBe(0);
});

test.each([
  ['hangs', /did not answer initialize within 1 s/],
  ['silent', /did not answer textDocument\/hover within 1 s/],
])('one that %s is an error after its time, and is ended', async (mode, reason) => {
  const bench = await benchWith(mode, { start_timeout_seconds: 1, answer_timeout_seconds: 1 });
  const answer = await bench.ask('lsp_hover', place);
  expect(answer).toMatchObject({ ok: false, server_status: 'error', message: expect.stringMatching(reason) });
  if (mode === 'hangs') expect(bench.processes()).toBe(0);
  expect(await processesLeft(bench)).toBe(0);
});

test('one that holds on to life is killed with everything it started', async () => {
  const bench = await benchWith('clings');
  expect(await bench.ask('lsp_hover', place)).toMatchObject({ ok: true });
  expect(await processesLeft(bench)).toBe(0);
});

test('one that takes too much memory is stopped', async () => {
  const bench = await benchWith('hog', { memory_mb: 300 });
  expect(await bench.ask('lsp_hover', place)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/more than 300 MiB of memory|It ended/),
  });
  expect(await processesLeft(bench)).toBe(0);
});

test('a missing server says how to get it and what to do instead, at the start once, and never stops a call', async () => {
  const servers = {
    fake: { command: 'no-such-server', extensions: ['.fake'], install: 'brew install no-such' },
  };
  const bench = await lspBench({
    files: { ...files, 'node_modules/.bin/no-such-server': '' },
    lsp: { servers: { ...servers, sh: false } },
  });
  expect(missingNotices(bench.host.lsp.settings, bench.root)).toEqual([
    '[LSP] fake: no-such-server is not installed; run: brew install no-such',
  ]);
  expect(await bench.ask('lsp_hover', place)).toEqual({
    ok: false,
    server_status: 'not_installed',
    server: 'no-such-server',
    install_hint: 'brew install no-such',
    message: expect.stringMatching(
      /not installed\. no-such-server in the workspace’s node_modules is the workspace’s own code and is not started/,
    ),
    fallback: 'Read the source around this place.',
  });
  writeFileSync(join(bench.root, 's.sh'), 'x');
  expect(await bench.ask('lsp_diagnostics', { path: 's.sh' })).toMatchObject({
    ok: false,
    server_status: 'unavailable',
    message: 'sh: bash-language-server. It is switched off in the configuration.',
  });
  expect(bench.processes()).toBe(0);
  expect(await processesLeft(bench)).toBe(0);
});

test('a workspace names no program before it is trusted', async () => {
  const config = { lsp: { servers: { fake: fakeServer('fine') } } };
  const filesWithConfig = { ...files, '.codelab/config.json': JSON.stringify(config) };
  const bench = await lspBench({ files: filesWithConfig, mode: 'review' });
  expect(await bench.ask('lsp_hover', place)).toMatchObject({ ok: false, server_status: 'unsupported' });
  expect(bench.processes()).toBe(0);
  expect(await processesLeft(bench)).toBe(0);
});

test('in the sandbox a server sees no secrets, writes nothing and has no network', async () => {
  const probe = `
    const fs = require('node:fs');
    const tries = {
      secret: () => fs.readFileSync('.env', 'utf8'),
      write: () => fs.writeFileSync('planted.txt', 'x'),
      network: () => Object.keys(require('node:os').networkInterfaces()).filter((one) => one !== 'lo').join(),
      key: () => process.env.SOME_API_KEY ?? '',
    };
    const all = [];
    for (const [name, work] of Object.entries(tries)) {
      let said;
      try { said = work(); } catch (error) { said = error.code; }
      all.push(name + '=' + said);
    }
    console.error(all.join(' '));
    process.exit(1);`;
  const server = { command: process.execPath, args: ['-e', probe], extensions: ['.fake'] };
  process.env.SOME_API_KEY = 'not for others';
  const bench = await lspBench({
    files: { ...files, '.env': 'TOKEN=hidden\n' },
    lsp: { servers: { fake: server } },
    mode: 'review',
  });
  const { message } = await bench.ask('lsp_hover', place);
  expect(String(message)).toMatch(/It printed: secret= write=EROFS network= key=$/);
  expect(readdirSync(bench.root)).not.toContain('planted.txt');
  delete process.env.SOME_API_KEY;
  expect(await processesLeft(bench)).toBe(0);
});
