import { createHash, createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacSha256, sha256Bytes } from './sha256.ts';

test('digests and MACs of every length around a block are those of Node', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000, 100_000]) {
    const message = randomBytes(length);
    expect(sha256Bytes(message)).toEqual([...createHash('sha256').update(message).digest()]);
    for (const keyLength of [0, 32, 64, 65, 200]) {
      const key = randomBytes(keyLength);
      expect(hmacSha256(key, message)).toEqual([...createHmac('sha256', key).update(message).digest()]);
    }
  }
});
