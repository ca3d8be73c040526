// Files on a screen: listing, opening, saving without touching a line that was not edited, finding; and what is refused.
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchPath } from '../../apps/server/src/agent/context/file-finder.ts';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { httpBench } from '../support/http-bench.ts';
import { byName, type Json, json } from '../support/web-api.ts';

const content = (path: string): string => `/files/content?path=${encodeURIComponent(path)}`;
const bytes = (bench: GatewayBench, path: string): string => readFileSync(join(bench.root, path), 'utf8');
const refused = (code: string) => ({ error: { code, message: expect.any(String) } });

async function opened(
  bench: GatewayBench,
): Promise<(path: string, text: string, print?: unknown) => Promise<[number, Json]>> {
  const [, { id }] = await json(bench, '/sessions', 'POST', {});
  return (path, text, fingerprint) =>
    json(bench, '/files/content', 'PUT', {
      path,
      text,
      session_id: id,
      ...(fingerprint !== undefined && { fingerprint }),
    });
}

test('a folder is listed, folders first, with odd names as they are', async () => {
  const oddName = '<img src=x onerror=alert(1)>"\'.txt';
  await using bench = await gatewayBench({
    files: { 'b.txt': 'b', '.hidden': 'h', 'sub/deep.txt': 'd', [oddName]: '' },
  });
  const [status, { path, entries }] = await json(bench, '/files');
  expect([status, path]).toEqual([200, '.']);
  const names = (entries as Json[]).map(({ name, type }) => [name, type]);
  expect(names[0]).toEqual(['sub', 'directory']);
  expect(names).toEqual(
    expect.arrayContaining([
      ['b.txt', 'file'],
      ['.hidden', 'file'],
      [oddName, 'file'],
    ]),
  );
  const [, below] = await json(bench, '/files?path=sub');
  expect(below).toMatchObject({ path: 'sub', entries: [{ path: 'sub/deep.txt', size: 1 }] });
  const answer = await bench.request('/api/v1/files');
  expect(answer.headers.get('content-type')).toContain('application/json');
});

test('a file is opened, changed and undone; the record says who did it', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'one\ntwo\n' } });
  const save = await opened(bench);
  const [, file] = await json(bench, content('a.txt'));
  expect(file).toMatchObject({
    path: 'a.txt',
    text: 'one\ntwo\n',
    size: 8,
    line_ending: 'lf',
    encoding: 'utf-8',
  });
  const [status, saved] = await save('a.txt', 'one\n2\n', file.fingerprint);
  expect([status, saved]).toMatchObject([200, { path: 'a.txt', size: 6 }]);
  expect(bytes(bench, 'a.txt')).toBe('one\n2\n');
  expect((await json(bench, content('a.txt')))[1].fingerprint).toBe(saved.fingerprint);
  const [, { sessions }] = await json(bench, '/sessions');
  const id = String((sessions as Json[])[0]?.id);
  const [, { events }] = await json(bench, `/sessions/${id}/log`);
  const decided = (events as { body: Json }[]).find(({ body }) => body.type === 'approval.decided');
  expect(decided?.body).toMatchObject({ callId: saved.call_id, decision: { kind: 'approve' } });
  await json(bench, `/sessions/${id}/calls`, 'POST', {
    tool: 'undo',
    args: { call_id: saved.call_id },
    approve: true,
  });
  expect(bytes(bench, 'a.txt')).toBe('one\ntwo\n');
});

test('what was changed meanwhile is not overwritten', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'one\n' } });
  const save = await opened(bench);
  const [, { fingerprint }] = await json(bench, content('a.txt'));
  writeFileSync(join(bench.root, 'a.txt'), 'theirs\n');
  expect(await save('a.txt', 'mine\n', fingerprint)).toMatchObject([409, refused('STALE')]);
  expect(await save('a.txt', 'mine\n')).toMatchObject([400, refused('ALREADY_EXISTS')]);
  expect(await save('gone.txt', 'mine\n', fingerprint)).toMatchObject([409, refused('STALE')]);
  expect(bytes(bench, 'a.txt')).toBe('theirs\n');
  // Two who save at once: one of them is told.
  const [, now] = await json(bench, content('a.txt'));
  const both = await Promise.all([
    save('a.txt', 'A\n', now.fingerprint),
    save('a.txt', 'B\n', now.fingerprint),
  ]);
  expect(both.map(([status]) => status).sort()).toEqual([200, 409]);
  expect(await save('new/b.txt', 'new\r\n')).toMatchObject([200, { size: 5 }]);
  expect(bytes(bench, 'new/b.txt')).toBe('new\r\n');
  expect(bench.faults).toEqual([]);
});

test('a byte order mark and the mode stay', async () => {
  await using bench = await gatewayBench();
  const file = join(bench.root, 'run.sh');
  writeFileSync(file, '\ufeffa\r\nb\r\n', { mode: 0o755 });
  const save = await opened(bench);
  const [, { fingerprint, encoding, text }] = await json(bench, content('run.sh'));
  expect([encoding, text]).toEqual(['utf-8-bom', 'a\r\nb\r\n']);
  expect((await save('run.sh', 'a\nc\n', fingerprint))[0]).toBe(200);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['\ufeffa\r\nc\r\n', 0o755]);
});

test('an editor that knows how its lines end is believed', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': '\ufeffa\r\nb\n' } });
  const [, { id }] = await json(bench, '/sessions', 'POST', {});
  const [, { fingerprint }] = await json(bench, content('a.txt'));
  const body = { path: 'a.txt', text: 'a\nb\r\nc\r', session_id: id, fingerprint, line_endings: 'exact' };
  const [status, saved] = await json(bench, '/files/content', 'PUT', body);
  expect([status, bytes(bench, 'a.txt')]).toEqual([200, '\ufeffa\nb\r\nc\r']);
  expect((await json(bench, content('a.txt')))[1].fingerprint).toBe(saved.fingerprint);
});

test('law: an editor that knows only line feeds changes no line but the edited one', async () => {
  await using bench = await gatewayBench();
  const save = await opened(bench);
  const line = fc.tuple(fc.stringMatching(/^[a-z ]{0,6}$/), fc.constantFrom('\n', '\r\n', '\r'));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), fc.nat(), async (lines, at) => {
      const before = lines.map(([text, ending]) => text + ending);
      // A lone `\r` before a line that is only `\n` would be one ending of two characters.
      fc.pre(!before.some((text, i) => text.endsWith('\r') && (before[i + 1] ?? '').startsWith('\n')));
      writeFileSync(join(bench.root, 'law.txt'), before.join(''));
      const [, { fingerprint }] = await json(bench, content('law.txt'));
      const edited = at % lines.length;
      const editedText = lines.map(([text], i) => `${i === edited ? 'EDITED' : text}\n`).join('');
      const [status] = await save('law.txt', editedText, fingerprint);
      expect(status).toBe(200);
      const after = lines.map(([text, ending], i) => (i === edited ? 'EDITED' : text) + ending).join('');
      expect(bytes(bench, 'law.txt')).toBe(after);
    }),
    { numRuns: 25 },
  );
});

test('nothing leads out of the workspace, and secrets are not shown unasked', async () => {
  await using bench = await gatewayBench({
    files: { 'a.txt': 'a', '.env': 'KEY=1', id_rsa: 'PRIVATE', '.git/config': '[core]' },
    prepare(root) {
      symlinkSync('/etc', join(root, 'out'));
      symlinkSync('/etc/passwd', join(root, 'passwd'));
      symlinkSync('.env', join(root, 'innocent.txt'));
      mkdirSync(join(root, 'dir'));
      writeFileSync(join(root, 'binary'), Buffer.from([0, 1, 2, 255]));
      writeFileSync(join(root, 'large'), 'x'.repeat(2 * 1024 * 1024));
    },
  });
  const save = await opened(bench);
  for (const path of [
    '../x',
    '/etc/passwd',
    'out/passwd',
    'passwd',
    'a/../../x',
    '..\\x',
    'a.txt\0',
    '~/.ssh/id_rsa',
  ]) {
    const [status, { error }] = await json(bench, content(path));
    expect([path, status >= 400, (error as Json).code]).toEqual([path, true, expect.any(String)]);
    expect([path, (await json(bench, `/files?path=${encodeURIComponent(path)}`))[0] >= 400]).toEqual([
      path,
      true,
    ]);
    expect([path, (await save(path, 'x', 'sha256:0'))[0] >= 400]).toEqual([path, true]);
  }
  expect((await json(bench, '/files?path=out'))[0]).toBeGreaterThanOrEqual(400);
  for (const path of ['.env', 'id_rsa', '.git/config', 'innocent.txt'])
    expect(await json(bench, content(path))).toMatchObject([
      403,
      { error: { code: 'PERMISSION_DENIED', details: { rule: 'secrets', verdict: 'ask' } } },
    ]);
  expect(await json(bench, content('dir'))).toMatchObject([400, refused('NOT_REGULAR_FILE')]);
  expect(await json(bench, content('none'))).toMatchObject([404, refused('FILE_NOT_FOUND')]);
  expect(await json(bench, content('binary'))).toMatchObject([400, refused('ENCODING_ERROR')]);
  expect(await json(bench, content('large'))).toMatchObject([413, refused('FILE_TOO_LARGE')]);
  expect((await save('.git/hooks/pre-commit', '#!/bin/sh\n'))[0]).toBe(403);
  expect((await save('.codelab/config.json', '{}'))[0]).toBe(403);
  expect((await save('big.txt', 'x'.repeat(2 * 1024 * 1024)))[0]).toBe(413);
  expect((await save('huge.txt', 'x'.repeat(11 * 1024 * 1024)))[0]).toBe(413);
  expect((await save('nul.txt', 'a\0b'))[0]).toBe(400);
  expect(bench.faults).toEqual([]);
});

test('files are found by a few letters, the best first', async () => {
  await using bench = await gatewayBench({
    files: {
      'src/http/routes/files.ts': '',
      'src/file-finder.ts': '',
      'docs/profile.md': '',
      'README.md': '',
      'node_modules/x/files.js': '',
      '.gitignore': 'node_modules\n',
    },
  });
  const find = async (query: string) =>
    (await json(bench, `/files/find?query=${encodeURIComponent(query)}`))[1].files;
  expect(((await find('files')) as string[])[0]).toBe('src/http/routes/files.ts');
  expect((await find('files')) as string[]).not.toContain('node_modules/x/files.js');
  expect(await find('readme')).toEqual(['README.md']);
  expect((await find('ff')) as string[]).toContain('src/file-finder.ts');
  expect((await find('')) as string[]).toContain('README.md');
  expect(await find('zzz')).toEqual([]);
  for (const query of ['limit=0', 'limit=9999', `query=${'x'.repeat(201)}`])
    expect((await json(bench, `/files/find?${query}`))[0]).toBe(400);
});

test('law: what fits has all letters in order', () => {
  const path = fc.stringMatching(/^[a-zA-Z/._-]{1,30}$/);
  fc.assert(
    fc.property(path, fc.stringMatching(/^[a-z]{0,6}$/), (text, query) => {
      const inOrder = new RegExp([...query].join('.*')).test(text.toLowerCase());
      expect(matchPath(query, text) !== undefined).toBe(inOrder);
    }),
  );
});

test('a file is saved in a session of one’s own only', async () => {
  await using http = await httpBench({ auth: byName });
  const { body } = await http.post('/api/v1/sessions', {}, { authorization: 'Bearer ann' });
  const putFile = async (name: string, session_id: unknown) =>
    (
      await fetch(`${http.url}/api/v1/files/content`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${name}`, 'content-type': 'application/json' },
        body: JSON.stringify({ path: 'x.txt', text: 'x', session_id }),
      })
    ).status;
  expect(await putFile('bob', body.id)).toBe(403);
  expect(await putFile('bob', 'none')).toBe(404);
  expect(await putFile('ann', body.id)).toBe(200);
});
