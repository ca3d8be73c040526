import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepEnds } from './keep-ends.ts';

const chunks = fc.array(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)));

test('what fits is kept whole; of more, both ends and how much is missing', () => {
  fc.assert(
    fc.property(
      chunks,
      fc.integer({ min: 2, max: 60 }),
      fc.integer({ min: 2, max: 80 }),
      (parts, limit, requestedBytes) => {
        const ends = keepEnds(limit);
        for (const part of parts) ends.push(part);
        const all = Buffer.concat(parts);
        const { head, tail, leftOut } = ends.take(requestedBytes);
        const allowed = Math.min(limit, requestedBytes);
        expect(ends.total).toBe(all.length);
        if (all.length <= allowed) expect(Buffer.concat([head, tail]).equals(all)).toBe(true);
        else {
          expect(head.length + tail.length).toBe(allowed);
          expect(head.equals(all.subarray(0, head.length))).toBe(true);
          expect(tail.equals(all.subarray(all.length - tail.length))).toBe(true);
          expect(Math.abs(head.length - tail.length)).toBeLessThanOrEqual(1);
        }
        expect(leftOut).toBe(Math.max(0, all.length - allowed));
      },
    ),
  );
});

test('the caller may use its buffer again', () => {
  const ends = keepEnds(8);
  const buffer = Buffer.from('abcd');
  ends.push(buffer);
  buffer.fill('x');
  expect(ends.take(8).head.toString()).toBe('abcd');
});
