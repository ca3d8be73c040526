import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedReader, mostMessage, WholeWriter } from './messages.ts';

function framed(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

function read(pieces: readonly Buffer[]): { messages: unknown[]; errors: string[] } {
  const messages: unknown[] = [];
  const reader = new BoundedReader((method, params) => messages.push({ jsonrpc: '2.0', method, params }));
  const errors: string[] = [];
  reader.onError((error) => errors.push(error.message));
  reader.listen((message) => messages.push(message));
  for (const piece of pieces) reader.push(piece);
  return { messages, errors };
}

test('messages are the same wherever their bytes are cut', () => {
  const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(texts, fc.array(fc.nat(), { maxLength: 10 }), (all, cuts) => {
      const messages = all.map((text, id) => ({ jsonrpc: '2.0', id, method: 'x', params: { text } }));
      const bytes = Buffer.concat(messages.map(framed));
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const pieces = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
      expect(read(pieces)).toEqual({ messages, errors: [] });
    }),
  );
});

test('notifications, requests and responses come in the order in which they were sent', () => {
  const messages = [
    { jsonrpc: '2.0', method: 'note', params: { n: 1 } },
    { jsonrpc: '2.0', id: 1, result: null },
    { jsonrpc: '2.0', id: 2, method: 'ask', params: [] },
    { jsonrpc: '2.0', method: 'note', params: { n: 2 } },
  ];
  expect(read([Buffer.concat(messages.map(framed))])).toEqual({ messages, errors: [] });
});

test.each([
  ['a greeting', 'Hello!\nContent-Length: 2\r\n\r\n{}', 'It prints something that is no message: "Hello!'],
  ['no length', 'Content-Type: x\r\n\r\n{}', 'Its message has no length'],
  ['too much', `Content-Length: ${mostMessage + 1}\r\n\r\n`, `more than ${mostMessage} are not taken`],
  ['a list', 'Content-Length: 2\r\n\r\n[]', 'It sends a message that is no object.'],
  ['an endless header', `Content-Length: ${'1'.repeat(5000)}`, 'It prints something that is no message'],
  ['broken JSON', 'Content-Length: 3\r\n\r\n{x}', 'JSON'],
])('%s is refused, once, and nothing after it is read', (_name, text, reason) => {
  const { messages, errors } = read([Buffer.from(text), framed({ id: 1 })]);
  expect(messages).toEqual([]);
  expect(errors).toEqual([expect.stringContaining(reason)]);
});

test('a message is written at once, header and body, and read back as it was', async () => {
  const stream = new PassThrough();
  const pieces: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => pieces.push(bytes));
  const writer = new WholeWriter(stream);
  const messages = ['plain', 'ä\u{1f600}\r\n'].map((text, id) => ({ jsonrpc: '2.0', id, result: { text } }));
  for (const message of messages) await writer.write(message);
  expect(pieces).toEqual(messages.map(framed));
  expect(read(pieces)).toEqual({ messages, errors: [] });
});

test('what can’t be written is told to whoever sent it', async () => {
  const stream = new PassThrough();
  const writer = new WholeWriter(stream);
  stream.destroy();
  await expect(writer.write({ jsonrpc: '2.0' })).rejects.toThrow('destroyed');
});
