import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readResourceAddress, writeAddress } from './resource-address.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 });

test('an address is read as it was written', () => {
  fc.assert(
    fc.property(text, text, (first, second) => {
      for (const address of [
        { kind: 'file', path: `${first}/${second}` },
        { kind: 'log', session: first },
        { kind: 'output', session: first, callId: second },
      ] as const)
        expect(readResourceAddress(writeAddress(address))).toEqual(address);
    }),
  );
});

test('what is no address of ours is none', () => {
  for (const uri of [
    '',
    'file:///etc/passwd',
    'codelab://files/',
    'codelab://files/%',
    'codelab://sessions/a/log/b',
    'codelab://sessions//log',
    `codelab://files/${'a'.repeat(20_000)}`,
  ])
    expect([uri.slice(0, 30), readResourceAddress(uri)]).toEqual([uri.slice(0, 30), undefined]);
});
