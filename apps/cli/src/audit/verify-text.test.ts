import { expect, test } from 'vitest';
import { verifyText } from './verify-text.ts';

test('one of each is in the singular', () => {
  const proof = {
    key: null,
    seals: 1,
    sealed_at: 0,
    deletions: 1,
    entries: { proven: 1, recent: 0, unsealed: 0 },
    not_proven: [],
  };
  const report = { ok: true as const, sessions: 1, entries: 1, proof };
  const text = verifyText(
    report as unknown as Parameters<typeof verifyText>[0],
    (_style, styledText) => styledText,
  );
  expect(text).toContain('✔ complete  1 entry in 1 session, every hash matches\n');
  expect(text).toMatch(/✔ sealed 1 entry, 1 seal, the last of .*, 1 signed deletion\n/);
});
