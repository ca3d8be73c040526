import { expect, test } from 'vitest';
import { hideSecrets } from './open-transport.ts';

test('hides what was given, whole or word by word, the longest first, and leaves short values alone', () => {
  const hide = hideSecrets(['Bearer abcdef123', 'abcdef', 'on', '']);
  expect(hide('sent Bearer abcdef123, then abcdef123, then abcdef: on')).toBe(
    'sent •••, then •••, then •••: on',
  );
});
