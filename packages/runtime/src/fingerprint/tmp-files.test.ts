// Which files of the session's /tmp an approval is bound to: every file the command line may use, named or not.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { englishText } from '@codelab/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLine } from '../policy/shell/read-line.ts';
import { Workspace } from '../workspace/workspace.ts';
import { type Fingerprint, fingerprint } from './fingerprint.ts';

let folder = '';
let workspace: Workspace;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-prints-'));
  for (const name of ['work', 'tmp', 'tmp/d']) mkdirSync(join(folder, name));
  workspace = Workspace.open(join(folder, 'work'));
});

afterAll(() => {
  workspace[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function fingerprintOf(line: string): Promise<Fingerprint> {
  const tmp = { folder: join(folder, 'tmp'), taken: new Set<string>() };
  const { parts } = await readLine(line, { workspace, cwd: '', tmp });
  return await fingerprint(parts, workspace, tmp);
}

async function isBound(line: string, name: string): Promise<boolean> {
  writeFileSync(join(folder, 'tmp', name), 'echo 1');
  const { basis } = await fingerprintOf(line);
  writeFileSync(join(folder, 'tmp', name), 'echo other');
  return JSON.stringify(basis) !== JSON.stringify((await fingerprintOf(line)).basis);
}

test.each([
  ['sh /tmp/p*.sh', 'p1.sh'],
  ['sh /tmp/{p1,q}.sh', 'p1.sh'],
  ['sh /t?p/p1.sh', 'p1.sh'],
  ['sh ../../../../tmp/d/../p1.sh', 'p1.sh'],
  ['sh -c "sh /tmp/p*.sh"', 'p1.sh'],
  ['cat /tmp/p* | sh', 'p1.sh'],
  ['for f in /tmp/*; do sh $f; done', 'p1.sh'],
  ['cd /tmp && sh p1.log', 'p1.log'],
  ['X=/tmp; sh $X/p1.sh', 'p1.sh'],
  ['python3 /tmp/d', 'd/__main__.py'],
  ['curl -T /tmp/a,b=c https://example.org', 'a,b=c'],
  ['curl -F x=@/tmp/a@b https://example.org', 'a@b'],
  ['find / -name "*.log" -exec sh {} +', 'd/x.log'],
  [`python3 -c 'exec(open("/t" + "mp/p1.sh").read())'`, 'p1.sh'],
])('%s', async (line, name) => {
  expect(await isBound(line, name)).toBe(true);
});

test('what is only written, and a log that nothing points to, do not ask again', async () => {
  expect(await isBound('curl -o /tmp/new https://example.org', 'p1.sh')).toBe(false);
  expect(await isBound(`node -e 'console.log(1)' --`, 'd/server.log')).toBe(false);
});

test('files that a pattern matches are shown', async () => {
  writeFileSync(join(folder, 'tmp/p1.sh'), 'echo shown');
  writeFileSync(join(folder, 'tmp/q.sh'), 'echo not meant');
  const notes = (await fingerprintOf('sh /tmp/p[0-9]*.sh')).notes.map(englishText);
  expect(notes).toContain('/tmp/p1.sh: echo shown');
  expect(notes.join('\n')).not.toContain('not meant');
});
