import { expect, test } from 'vitest';
import { checkHopBody, hopHeader, openHops } from './hops.ts';

const stored = new Map<string, string>();
const store = {
  get: async (key: string) => (stored.has(key) ? { text: stored.get(key) ?? '' } : undefined),
  put: async (key: string, text: string) => {
    stored.set(key, text);
    return 1;
  },
};
const peer = { subject: 'ann', via: 'http' };
const request = { method: 'POST', url: '/api/v1/sessions/s1/messages' };

test('what one gateway vouches for is read by another, for this request and this body alone', async () => {
  const [sender, receiver] = [await openHops(store), await openHops(store)];
  const body = Buffer.from('{"text":"hello"}');
  const headers = { [hopHeader]: sender.sign(peer, { ...request, body }) };
  const claim = receiver.read(headers, request);
  expect(claim).toMatchObject({ subject: 'ann' });
  if (claim === undefined) return;
  checkHopBody(claim, body);
  for (const other of [undefined, Buffer.from('{"text":"other"}')])
    expect(() => checkHopBody(claim, other)).toThrow('not the one that the other gateway handed on');
  expect(receiver.read(headers, { ...request, url: '/api/v1/sessions/s2/messages' })).toBeUndefined();
  expect(receiver.read(headers, { ...request, method: 'DELETE' })).toBeUndefined();
});

test('a request without a body is vouched for as such', async () => {
  const hops = await openHops(store);
  const claim = hops.read({ [hopHeader]: hops.sign(peer, request) }, request);
  expect(claim).toBeDefined();
  if (claim === undefined) return;
  checkHopBody(claim, undefined);
  checkHopBody(claim, Buffer.alloc(0));
  expect(() => checkHopBody(claim, Buffer.from('{}'))).toThrow();
});
