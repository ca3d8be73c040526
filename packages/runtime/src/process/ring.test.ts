import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRing } from './spill-file.ts';

const chunks = fc.array(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)));

test('every reader gets what is there from its cursor on, however the bytes came', () => {
  fc.assert(
    fc.property(
      chunks,
      fc.integer({ min: 1, max: 64 }),
      fc.nat(200),
      fc.nat(100),
      (parts, capacity, cursor, maxBytes) => {
        const ring = createRing(capacity);
        for (const part of parts) ring.push(part);
        const all = Buffer.concat(parts);
        const oldest = Math.max(0, all.length - capacity);
        const { bytes, from } = ring.read(cursor, maxBytes);
        expect(ring.total).toBe(all.length);
        expect(from).toBe(Math.min(Math.max(cursor, oldest), all.length));
        expect(bytes.equals(all.subarray(from, from + maxBytes))).toBe(true);
      },
    ),
  );
});
