import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestedFile, sha256 } from './digest.ts';

const native = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

test('agrees with Node at every length around the block borders, and far beyond what is hashed here', () => {
  for (let length = 0; length < 200; length++) {
    const bytes = randomBytes(length);
    expect(sha256(bytes)).toBe(native(bytes));
  }
  for (const text of ['', 'abc', 'é'.repeat(1000), '中\u{1f600}'.repeat(99)])
    expect(sha256(text)).toBe(native(text));
  const large = randomBytes(1_000_000);
  expect(sha256(large)).toBe(native(large));
  expect(sha256('after')).toBe(native('after'));
});

test('a file that is read again has the digest of its own bytes, and the buffer of the same bytes', () => {
  const bytes = randomBytes(100_000);
  expect(digestedFile(bytes)).toEqual({ bytes, digest: `sha256:${native(bytes)}` });
  const again = Buffer.from(bytes);
  expect(digestedFile(again).bytes).toBe(bytes);
  again[50_000] = (again[50_000] ?? 0) ^ 1;
  expect(digestedFile(again)).toEqual({ bytes: again, digest: `sha256:${native(again)}` });
});
