// Images for a model: from a file that a prompt names, and from the result of a tool, as each wire takes them.
import { imageFrom, type ModelMessage } from '@codelab/agent';
import { type ImagePart, imageLimits, type Outcome } from '@codelab/protocol';
import { readMentions } from '@codelab/server/agent';
import { expect, test } from 'vitest';
import { createLocalHost } from '../../apps/server/src/agent/local-host.ts';
import { readToolResult } from '../../apps/server/src/mcp/client/read-tool-result.ts';
import { boundImages } from '../../packages/agent/src/llm/request/wire-images.ts';
import { ask, modelAt, question } from '../support/ask-model.ts';
import { modelServer } from '../support/model-server.ts';
import { chatBytes, messageBytes } from '../support/model-streams.ts';
import { workbench } from '../support/workbench.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const image: ImagePart = { mediaType: 'image/png', data: png.toString('base64'), name: 'a.png' };
const by = { who: 'ann', via: 'test' };

test('a prompt that names an image brings it along, whatever its bytes turn out to be', async () => {
  // Larger than a text may be.
  const large = Buffer.concat([png, Buffer.alloc(2_000_000)]);
  const files = { 'a.png': large, 'fake.png': 'not an image', 'b.txt': 'text' };
  await using bench = await workbench({ files });
  const found = await readMentions(bench.host, 'What is in @a.png, @fake.png and @b.txt? @none.png', {
    session: 's1',
    by,
  });
  expect(found).toEqual({
    text: 'What is in @a.png, @fake.png and @b.txt? @none.png',
    files: [{ path: 'b.txt', text: 'text' }],
    images: [{ ...image, data: large.toString('base64') }],
    problems: [
      '@fake.png was not attached: fake.png is not a PNG, JPEG, GIF or WebP image. Convert it first.',
    ],
  });
});

test('a model that reads an image file is shown it; another file of such a name is no text', async () => {
  await using bench = await workbench({ files: { 'a.png': png, 'fake.png': 'text\n' } });
  const tools = createLocalHost(bench.host, 's1');
  const read = async (path: string): Promise<Outcome | undefined> => {
    const call = {
      id: `read_${path}`,
      session: 's1',
      tool: 'read_file',
      args: { path },
      dialect: 'codelab' as const,
    };
    let outcome: Outcome | undefined;
    for await (const event of tools.execute(call, new AbortController().signal))
      if (event.type === 'outcome') outcome = event.outcome;
    return outcome;
  };
  const outcome = await read('a.png');
  expect(outcome).toMatchObject({ status: 'completed', data: { images: [image] } });
  expect(outcome && tools.tell(outcome)).toBe(`[a.png: an image of ${png.length} bytes]`);
  expect(await read('fake.png')).toMatchObject({ status: 'completed', data: { content: 'text\n' } });
  expect(await bench.call('read_file', { path: 'a.png' })).toMatchObject({ status: 'failed' });
});

test('an image is known by its bytes, and bounded', () => {
  expect(imageFrom(Buffer.from('GIF89a…'), 'x').mediaType).toBe('image/gif');
  expect(imageFrom(Buffer.from('ffd8ffe0', 'hex'), 'x').mediaType).toBe('image/jpeg');
  expect(imageFrom(Buffer.from('RIFF0000WEBPVP8 '), 'x').mediaType).toBe('image/webp');
  const large = Buffer.concat([png, Buffer.alloc(imageLimits.bytes)]);
  expect(() => imageFrom(large, 'x.png')).toThrow('Make it smaller first.');
});

test('an image of an MCP server is kept for the model; what is no image a provider takes is not', () => {
  const part = (mimeType: string, data: string) => ({ type: 'image', mimeType, data });
  const content = [
    part('image/png', image.data),
    part('image/svg+xml', image.data),
    part('image/png', 'not base64!'),
  ];
  expect(readToolResult({ content }, 1000).images).toEqual([{ mediaType: 'image/png', data: image.data }]);
});

const usage = { inputTokens: 0, outputTokens: 0 };
const call = (id: string) => ({ id, tool: 'read_file', args: { path: id } });
const messages: ModelMessage[] = [
  { role: 'user', text: 'Look', images: [image] },
  {
    role: 'assistant',
    reply: { model: 'm', text: '', calls: [call('a'), call('b')], usage, stop: 'calls' },
  },
  { role: 'tool', callId: 'a', tool: 'read_file', text: 'A', isError: false, images: [image] },
  { role: 'tool', callId: 'b', tool: 'read_file', text: 'B', isError: false },
];

async function bodyOf(
  wire: 'openai' | 'anthropic',
  sentMessages = messages,
): Promise<Record<string, unknown>> {
  await using server = await modelServer([{ pieces: [wire === 'openai' ? chatBytes : messageBytes] }]);
  await ask(await modelAt(server.url, wire), { ...question, system: '', tools: [], messages: sentMessages });
  return server.requests[0]?.body ?? {};
}

test('chat completions: results hold only text, so their images follow as the user’s', async () => {
  const url = { type: 'image_url', image_url: { url: `data:image/png;base64,${image.data}` } };
  expect((await bodyOf('openai')).messages).toMatchObject([
    { role: 'user', content: [{ type: 'text', text: 'Look' }, url] },
    { role: 'assistant' },
    { role: 'tool', content: 'A' },
    { role: 'tool', content: 'B' },
    { role: 'user', content: [{ type: 'text', text: 'Images of the result of read_file:' }, url] },
  ]);
});

test('messages: an image is a block, in a result as well', async () => {
  const block = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image.data } };
  expect((await bodyOf('anthropic')).messages).toMatchObject([
    { role: 'user', content: [block, { type: 'text', text: 'Look' }] },
    { role: 'assistant' },
    {
      role: 'user',
      content: [
        { type: 'tool_result', content: [{ type: 'text', text: 'A' }, block] },
        { type: 'tool_result', content: 'B' },
      ],
    },
  ]);
});

test('the newest images stay, older ones become notes', () => {
  const many = Array.from(
    { length: 30 },
    (_, at): ModelMessage => ({
      role: 'user',
      text: `${at}`,
      images: [{ ...image, name: `${at}.png` }],
    }),
  );
  const bound = boundImages(many, true);
  expect(bound.filter((one) => one.role === 'user' && one.images !== undefined)).toEqual(many.slice(-20));
  expect(bound[0]).toEqual({ role: 'user', text: '0\n[0.png: no longer shown, to save room]' });
  expect(boundImages(many, true)[0], 'the same object').toBe(bound[0]);
});
