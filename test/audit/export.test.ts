// An export that is verified alone: by docs/verify-export.py, a program in another language that knows nothing of CodeLab.
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AuditBench, auditBench, opened, titledEvent } from '../support/audit-bench.ts';

const program = join(import.meta.dirname, '../../docs/verify-export.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;

const oddText = 'ünï 😀 \u2028 "quoted" \\ \u0001';

async function recorded(): Promise<AuditBench> {
  const bench = await auditBench();
  await bench.record('s3', 0, [
    opened,
    titledEvent(`long ${'é'.repeat(40_000)}`),
    titledEvent('\0escaped'),
    titledEvent(oddText),
  ]);
  await bench.record('s4', 0, [opened, titledEvent('to be deleted')]);
  bench.codelab('sessions', 'delete', 's4');
  return bench;
}

function exported({ codelab }: AuditBench, ...args: string[]): string[] {
  return codelab('audit', 'export', '--seals', ...args).stdout.split(/(?<=\n)/);
}

function verify(lines: readonly string[], ...args: string[]): { code: number | null; said: string } {
  const input = lines.join('');
  const { status, stdout, stderr } = spawnSync('python3', [program, ...args], { input, encoding: 'utf8' });
  return { code: status, said: stdout + stderr };
}

describe.runIf(hasPython)('an export', () => {
  test('is verified alone, with long texts, odd characters and a deletion', async () => {
    using bench = await recorded();
    const { key } = bench.verify().proof;
    const lines = exported(bench);
    expect(verify(lines, '--key', key)).toEqual({
      code: 0,
      said: expect.stringMatching(
        /complete: 9 entries in 3 sessions[\s\S]*sealed: 9 entries, 5 seals, 1 signed deletions/,
      ),
    });
    expect(verify(lines, '--key', `SHA256:${'A'.repeat(43)}`)).toMatchObject({
      code: 1,
      said: expect.stringContaining('signed with another key'),
    });
  });

  test('of one session is verified against all seals, and is not enough for all', async () => {
    using bench = await recorded();
    const lines = exported(bench, 's3');
    expect(verify(lines, '--session', 's3').code).toBe(0);
    expect(verify(lines)).toMatchObject({ code: 1, said: expect.stringContaining('session s1') });
  });

  test('without seals is whole, and proves no more than that', async () => {
    using bench = await recorded();
    const lines = bench.codelab('audit', 'export').stdout.split(/(?<=\n)/);
    expect(lines.every((line) => 'body' in JSON.parse(line))).toBe(true);
    expect(verify(lines)).toMatchObject({
      code: 0,
      said: expect.stringContaining('not proven: there are no seals'),
    });
  });

  test('of which all seals were taken out is broken for whoever expects a key', async () => {
    using bench = await recorded();
    const { key } = bench.verify().proof;
    const entries = exported(bench).filter((line) => !line.startsWith('{"seal"'));
    expect(verify(entries, '--key', key)).toMatchObject({
      code: 1,
      said: expect.stringContaining('no seal'),
    });
  });

  test('in which anything at all was changed is broken', async () => {
    using bench = await recorded();
    const lines = exported(bench);
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    const change = (index: number, from: string | RegExp, to: string): string[] =>
      lines.map((line, i) => (i === index ? line.replace(from, to) : line));
    const without = (index: number): string[] => lines.filter((_, i) => i !== index);
    const tampered: Record<string, string[]> = {
      'a body': change(at('"first"'), 'first', 'FIRST'),
      'a long text': change(at('"long '), 'long é', 'long e'),
      'an escaped text': change(at('escaped'), /escaped"}}/, 'esc"}}'),
      'a time': change(at('"first"'), /"time":\d/, '"time":9'),
      'an entry that is missing': without(at('"first"')),
      'the last entry of a session': without(at('"second"')),
      'a whole session': lines.filter((line) => !line.startsWith('{"session":"s1"')),
      'all hashes of a session': rechained(lines),
      'a seal that is missing': without(at('"seal":2')),
      'a head in a seal': change(at('"seal":1'), String.raw`\"seq\":3`, String.raw`\"seq\":2`),
      'a signature': change(at('"seal":3'), /"signature":"../, '"signature":"AA'),
      'a tombstone that is missing': without(at('"seal":5')).concat(),
      'the order of seals': lines.toSorted((a, b) =>
        a.startsWith('{"seal"') && b.startsWith('{"seal"') ? -1 : 0,
      ),
      'a seal with another key': [...lines, foreignSeal(lines)],
      'no JSON at all': [...lines, 'nonsense\n'],
      'a member that no hash covers': change(at('"first"'), '"hash":', '"approved_by":"alice","hash":'),
      'a member of a seal that nothing covers': change(at('"seal":1'), '"hash":', '"by":"alice","hash":'),
      'a time that is there twice': change(at('"first"'), '"time":', '"time":1,"time":'),
      'a session that is there twice': change(at('"first"'), '"session":', '"session":"s9","session":'),
      'a member of a long body that is there twice': change(at('"long '), '"body":{', '"body":{"type":"x",'),
      'a seal’s number that is there twice': change(at('"seal":1'), '{"seal":1', '{"seal":9,"seal":1'),
    };
    const unnoticed = Object.entries(tampered).filter(([, lines]) => verify(lines).code !== 1);
    expect(unnoticed.map(([name]) => name)).toEqual([]);
  });
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function rechained(lines: readonly string[]): string[] {
  let hash = '';
  return lines.map((line) => {
    if (!line.startsWith('{"session":"s1"')) return line;
    const entry = JSON.parse(line.replace('first', 'FIRST'));
    hash = sha256(`${hash}\ns1\n${entry.seq}\n${entry.time}\n${JSON.stringify(entry.body)}`);
    return `${JSON.stringify({ ...entry, hash })}\n`;
  });
}

function foreignSeal(lines: readonly string[]): string {
  const last = JSON.parse(lines.at(-1) || (lines.at(-2) ?? ''));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'jwk' }).x;
  const text = JSON.stringify({
    ...JSON.parse(last.text),
    n: last.seal + 1,
    prev: last.hash,
    key,
    heads: [],
  });
  const signature = sign(null, Buffer.from(`codelab seal 1\n${text}`), privateKey).toString('base64');
  return `${JSON.stringify({ seal: last.seal + 1, hash: sha256(text), signature, text })}\n`;
}
