import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseAnswer, readRefusal } from './errors.ts';

const Entry = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('said'), text: z.string() }),
  z.strictObject({ type: z.literal('done'), by: z.optional(z.strictObject({ who: z.string() })) }),
]);
const Answer = z.strictObject({
  entries: z.array(Entry),
  size: z.union([z.strictObject({ bytes: z.number() }), z.null()]),
});

test('what is not named passes as it came: fields at any depth, and kinds of entries', () => {
  const value = {
    entries: [
      { type: 'said', text: 'hi', tone: 'warm' },
      { type: 'done', by: { who: 'me', since: 3 } },
      { type: 'sung', melody: 1 },
    ],
    size: { bytes: 3, blocks: 1 },
    next: 4,
  };
  expect(parseAnswer(Answer, value)).toEqual({ value });
});

test('what is named must fit', () => {
  const entries = [{ type: 'said', text: 'hi' }];
  for (const [value, field] of [
    [{ entries, size: null }, undefined],
    [{ size: null }, 'entries'],
    [{ entries: [{ type: 'said', more: 1 }], size: null }, 'entries.0.text'],
    [{ entries, size: { bytes: 'three', blocks: 1 } }, 'size'],
    [{ entries: [{ type: 7 }], size: null }, 'entries.0.type'],
    [{ entries: ['said'], size: null }, 'entries.0'],
    [undefined, ''],
  ] as const) {
    const answer = parseAnswer(Answer, value);
    expect('problem' in answer ? answer.problem.field : undefined).toBe(field);
  }
});

test('a refusal is read in the form of each area, and nothing else is one', () => {
  const details = { reason: 'PROOF_STALE' };
  for (const [body, refusal] of [
    [{ error: { code: 'STALE', message: 'Old.', details } }, { code: 'STALE', message: 'Old.', details }],
    [{ error: { code: 'NEW_CODE', message: 'x', extra: 1 } }, { code: 'NEW_CODE', message: 'x' }],
    [
      { error_code: 'STALE', detail: 'Old.', metadata: details },
      { code: 'STALE', message: 'Old.', details },
    ],
    [
      { error: 'STALE', message: 'Old.' },
      { code: 'STALE', message: 'Old.' },
    ],
    [{ error: { code: 'STALE' } }, undefined],
    [{ error: { code: 'STALE', message: 'Old.', details: 'none' } }, undefined],
    [{ error_code: 7, detail: 'Old.' }, undefined],
    [{ error: 'STALE' }, undefined],
    [[{ error: 'STALE', message: 'Old.' }], undefined],
    ['STALE', undefined],
    [null, undefined],
    [undefined, undefined],
  ] as const)
    expect(readRefusal(body)).toEqual(refusal);
});
