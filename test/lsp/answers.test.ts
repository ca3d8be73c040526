// Validation of language servers' answers: places outside the workspace, contradictory edits, and diagnostics in parts. Nothing is read or
// changed on a server's word alone.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { fakeServer, type LspBench, lspBench } from '../support/lsp-bench.ts';

const files = {
  'a.fake': 'first word\nERROR 😀 ERROR here\n',
  'übung b.fake': 'the 😀 word\r\nand word\r\n',
};
const place = { path: 'a.fake', line: 0, symbol: 'word' };

async function benchWith(mode: string): Promise<LspBench> {
  return await lspBench({ files, lsp: { servers: { fake: fakeServer(mode) } }, mode: 'review' });
}

/** Ends the host, and says how many of its processes are left. */
async function processesLeft(bench: LspBench): Promise<number> {
  await bench[Symbol.asyncDispose]();
  return bench.processes();
}

test('places outside the workspace are named and not read; a rename that reaches there changes nothing', async () => {
  const bench = await benchWith('outside');
  const { location } = (await bench.ask('lsp_definition', place)) as { location: object };
  expect(location).toEqual({
    uri: 'file:///etc/passwd',
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } },
  });
  expect(codeOf(await bench.call('lsp_rename', { ...place, new_name: 'x' }))).toBe('PATH_OUTSIDE_WORKSPACE');
  for (const path of ['/etc/passwd', '../x', '/etc/hostname'])
    expect(codeOf(await bench.call('lsp_hover', { ...place, path }))).toBe('PATH_OUTSIDE_WORKSPACE');
  for (const wrong of [
    { line: -1 },
    { line: 2 ** 40 },
    { line: 99 },
    { character: 10_000, symbol: undefined },
    { symbol: 'nowhere' },
  ])
    expect(codeOf(await bench.call('lsp_hover', JSON.parse(JSON.stringify({ ...place, ...wrong }))))).toBe(
      'INVALID_ARGUMENTS',
    );
  expect(await processesLeft(bench)).toBe(0);
});

test.each([
  ['overlap', 'EXECUTION_FAILED'],
  ['creates', undefined],
])('a rename whose answer %s changes nothing', async (mode, code) => {
  const bench = await benchWith(mode);
  const outcome = await bench.call('lsp_rename', { ...place, new_name: 'x' });
  if (code === undefined) expect(outcome).toMatchObject({ data: { ok: false, server_status: 'error' } });
  else expect(codeOf(outcome)).toBe(code);
  expect(readFileSync(join(bench.root, 'a.fake'), 'utf8')).toBe(files['a.fake']);
  expect(await processesLeft(bench)).toBe(0);
});

test('a rename that lies about its places changes nothing, and says what is wrong', async () => {
  const bench = await benchWith('liar');
  symlinkSync('/etc/hostname', join(bench.root, 'linked.fake'));
  const codeFor = async (new_name: string): Promise<string | undefined> => {
    const outcome = await bench.call('lsp_rename', { ...place, new_name });
    return outcome.status === 'completed' ? String(outcome.data.message) : codeOf(outcome);
  };
  for (const lie of ['beyond', 'backwards', 'twice'])
    expect([lie, await codeFor(lie)]).toEqual([lie, 'EXECUTION_FAILED']);
  for (const lie of ['dots', 'encoded', 'slashes', 'host', 'scheme', 'linked', 'folder'])
    expect([lie, await codeFor(lie)]).toEqual([lie, 'PATH_OUTSIDE_WORKSPACE']);
  expect(await codeFor('missing')).toBe('FILE_NOT_FOUND');
  expect(await codeFor('negative')).toMatch(/answer has an unknown form/);
  expect(readFileSync(join(bench.root, 'a.fake'), 'utf8')).toBe(files['a.fake']);
  expect(await processesLeft(bench)).toBe(0);
});

test('a file that changes between the question and the answer of a person is asked about again', async () => {
  const bench = await lspBench({ files, lsp: { servers: { fake: fakeServer('fine') } }, mode: 'strict' });
  let askCount = 0;
  bench.human(() => {
    askCount++;
    if (askCount === 1) writeFileSync(join(bench.root, 'a.fake'), 'second word word\n');
    return { kind: 'approve' };
  });
  await bench.ask('lsp_rename', { ...place, new_name: 'name' });
  expect(askCount).toBe(2);
  expect(readFileSync(join(bench.root, 'a.fake'), 'utf8')).toBe('second name name\n');
  expect(await processesLeft(bench)).toBe(0);
});

test('a server that publishes in parts is asked, so that an error is not missed and nothing is waited for', async () => {
  const bench = await benchWith('parts');
  const errors = async (): Promise<unknown> =>
    (await bench.ask('lsp_diagnostics', { path: 'a.fake' })).diagnostics;
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 5 } };
  const found = { range, severity: 'error', message: 'An error.', code: '7', source: 'typescript' };
  expect(await errors()).toEqual([found]);
  writeFileSync(join(bench.root, 'a.fake'), 'fine\n');
  expect(await errors()).toEqual([]);
  expect(await processesLeft(bench)).toBe(0);
});

test('a file that changes while its server starts is not taken for the one that was read before', async () => {
  const bench = await benchWith('fine');
  const first = bench.call('lsp_diagnostics', { path: 'a.fake' });
  await expect.poll(() => bench.processes(), { interval: 5 }).toBeGreaterThan(0);
  writeFileSync(join(bench.root, 'a.fake'), 'fine\n');
  await first;
  expect(await bench.ask('lsp_diagnostics', { path: 'a.fake' })).toMatchObject({ ok: true, count: 0 });
  expect(await processesLeft(bench)).toBe(0);
});

test('what a rule denies to read is neither listed nor counted', async () => {
  const rule = { id: 'no-b', effect: 'deny', tool: '*', path: '*b.fake', reason: 'Private.' };
  const config = JSON.stringify({ policy: { rules: [rule] } });
  const bench = await lspBench({
    files: { ...files, '.codelab/config.json': config },
    lsp: { servers: { fake: fakeServer('everywhere') } },
    mode: 'review',
  });
  const { references, count, truncated } = await bench.ask('lsp_references', place);
  expect([references, count, truncated]).toMatchObject([[{ path: 'a.fake' }], 1, undefined]);
  expect(await processesLeft(bench)).toBe(0);
});
