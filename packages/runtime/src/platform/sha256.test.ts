import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from './digest.ts';

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
