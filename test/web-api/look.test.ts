// Views of the workspace besides folders and texts: matching lines, pictures, other encodings, and git's marks.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { newRepository } from '../support/real-git.ts';
import { type Json, json } from '../support/web-api.ts';

const content = (path: string): string => `/files/content?path=${encodeURIComponent(path)}`;
const refused = (code: string) => ({ error: { code, message: expect.any(String) } });

test('lines are found, pictures and other encodings are shown, and git says what differs', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await using bench = await gatewayBench({
    files: { 'src/a.ts': 'one\n  const Wanted = 1;\n', 'b.md': 'wanted\n', '.env': 'WANTED=1\n' },
    prepare(root) {
      const git = newRepository(root);
      git('add', '.');
      git('commit', '--quiet', '-m', 'first');
      writeFileSync(join(root, 'b.md'), 'wanted\nmore\n');
      writeFileSync(join(root, 'dot.png'), png);
      writeFileSync(join(root, 'koi.txt'), Buffer.from([0xf0, 0xf2, 0xe9, 0x0a]));
      writeFileSync(join(root, 'wide.txt'), Buffer.from('\ufeffhi\r\n', 'utf16le'));
    },
  });
  const [, found] = await json(bench, '/files/search?query=wanted');
  expect(found).toEqual({
    truncated: false,
    matches: expect.arrayContaining([
      { path: 'b.md', line: 1, column: 1, text: 'wanted', match: 'wanted' },
      { path: 'src/a.ts', line: 2, column: 9, text: '  const Wanted = 1;', match: 'Wanted' },
    ]),
  });
  const [, exact] = await json(bench, '/files/search?query=Wan.ed&regex=true&case_sensitive=true&limit=5');
  expect((exact.matches as Json[]).map(({ path }) => path)).toEqual(['src/a.ts']);
  expect(await json(bench, '/files/search?query=(&regex=true')).toMatchObject([
    400,
    refused('INVALID_ARGUMENTS'),
  ]);
  expect((await json(bench, '/files/marks'))[1]).toEqual({
    truncated: false,
    marks: [
      { path: 'b.md', mark: 'changed' },
      { path: 'dot.png', mark: 'added' },
      { path: 'koi.txt', mark: 'added' },
      { path: 'wide.txt', mark: 'added' },
    ],
  });
  expect((await json(bench, '/files/picture?path=dot.png'))[1]).toEqual({
    ...{ path: 'dot.png', media_type: 'image/png', data: png.toString('base64') },
  });
  expect(await json(bench, '/files/picture?path=b.md')).toMatchObject([400, refused('ENCODING_ERROR')]);
  expect(await json(bench, '/files/picture?path=../x.png')).toMatchObject([
    400,
    refused('PATH_OUTSIDE_WORKSPACE'),
  ]);
  expect((await json(bench, content('koi.txt')))[1]).toMatchObject({ text: 'ðòé\n', encoding: 'latin1' });
  expect((await json(bench, content('wide.txt')))[1]).toMatchObject({
    ...{ text: 'hi\r\n', encoding: 'utf-16le', line_ending: 'crlf' },
  });
  // Files that are not UTF-8 are read-only.
  const [, { id: session_id }] = await json(bench, '/sessions', 'POST', {});
  const [, { fingerprint }] = await json(bench, content('koi.txt'));
  const body = { path: 'koi.txt', text: 'x', session_id, fingerprint };
  expect(await json(bench, '/files/content', 'PUT', body)).toMatchObject([400, refused('ENCODING_ERROR')]);
  expect(bench.faults).toEqual([]);
});
