import { expect, test } from 'vitest';
import { completeAddress, isAddress } from './address.ts';

test.each([
  ['127.0.0.1:9911', 'http://127.0.0.1:9911'],
  ['localhost:8000/v1', 'http://localhost:8000/v1'],
  ['[::1]:8000', 'http://[::1]:8000'],
  ['192.168.1.7:8000', 'http://192.168.1.7:8000'],
  ['172.32.0.1', 'https://172.32.0.1'],
  ['10.example.com/v1', 'https://10.example.com/v1'],
  ['llm.acme.example/v1', 'https://llm.acme.example/v1'],
  ['http://llm.acme.example/v1', 'http://llm.acme.example/v1'],
])('%s is completed to %s', (typed, completed) => {
  expect(completeAddress(typed)).toBe(completed);
  expect(isAddress(completed)).toBe(true);
});

test.each(['', 'ftp://host/', 'http://me:pw@host/', 'two words', 'http://'])('%j is no address', (typed) => {
  expect(isAddress(completeAddress(typed))).toBe(false);
});
