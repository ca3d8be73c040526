// What is asked over MCP: in the client, elsewhere, by a link, or not at all; and that only a yes is a yes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayBench } from './support/gateway-bench.ts';
import { decide, decidedBy, events, user, waiting, write } from './support/mcp-server-bench.ts';
import { type Answering, flavours } from './support/mcp-user.ts';

test.each(flavours)('%s: an edit is asked in the client, and its user decides', async (flavour) => {
  await using bench = await gatewayBench();
  const asked: string[] = [];
  const answers: Awaited<ReturnType<Answering>>[] = [
    { action: 'accept', content: { decision: 'reject', reason: 'not now' } },
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { decision: 'approve' } },
  ];
  await using client = await user(bench, flavour, ({ message }) => {
    asked.push(message);
    return answers.shift() ?? { action: 'cancel' };
  });
  const refused = await client.call('write_file', write);
  expect(refused.content[0]?.text).toContain('not now');
  for (const _ of ['declined', 'closed'])
    expect(await client.call('write_file', write)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'REJECTED' } },
    });
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
  expect(await client.call('write_file', write)).toMatchObject({
    structuredContent: { success: true, bytes_written: 4 },
  });
  expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('new\n');
  expect(asked[0]).toMatch(/^HIGH RISK: write_file: Create b.txt/);
  expect(asked[0]).toContain('create: b.txt');
  expect(asked[0]).toContain('+new');
  expect(asked).toHaveLength(4);
  const via = flavour === 'v1' ? 'mcp:editor/1.0' : 'mcp:editor/2.1';
  expect(await decidedBy(bench)).toEqual([
    ['reject', via],
    ['reject', via],
    ['reject', via],
    ['approve', via],
  ]);
  const titled = (await events(bench)).flatMap((body) =>
    body.type === 'session.titled' ? [body.title] : [],
  );
  expect(titled).toEqual([`${via.slice(4)} over MCP`]);
});

test.each(flavours)('%s: an answer that is no yes is a no, however it looks', async (flavour) => {
  await using bench = await gatewayBench();
  const odd = [{}, { decision: '' }, { decision: 'APPROVE' }, { decision: 'yes' }, { answer: 'approve' }];
  const left = [...odd];
  await using client = await user(bench, flavour, () => ({
    action: 'accept',
    content: left.shift() as Record<string, string>,
  }));
  for (const _ of odd) expect(await client.call('write_file', write)).toMatchObject({ isError: true });
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
  expect((await decidedBy(bench)).filter((one) => (one as string[])[0] !== 'reject')).toEqual([]);
});

test.each(flavours)('%s: a question of the agent is put to the user as a choice', async (flavour) => {
  await using bench = await gatewayBench();
  await using client = await user(bench, flavour, ({ message, requestedSchema }) => {
    expect(message).toBe('The agent asks:\nWhich one?');
    expect(requestedSchema.properties).toMatchObject({ decision: { enum: ['red', 'blue'] } });
    return { action: 'accept', content: { decision: 'blue' } };
  });
  expect(await client.call('prompt_user', { message: 'Which one?', actions: ['red', 'blue'] })).toMatchObject(
    { content: [{ text: 'The human chose: blue' }] },
  );
});

test.each(['v1', 'v2'] as const)(
  '%s: who decides elsewhere is first, and the question goes away',
  async (flavour) => {
    await using bench = await gatewayBench();
    const gone = Promise.withResolvers<void>();
    await using client = await user(
      bench,
      flavour,
      (_question, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            gone.resolve();
            reject(new Error('taken away'));
          });
        }),
    );
    const ended = client.call('write_file', write);
    expect((await decide(bench, await waiting(bench), { kind: 'approve' })).status).toBe(200);
    expect(await ended).toMatchObject({ structuredContent: { success: true } });
    await gone.promise;
    expect(await decidedBy(bench)).toEqual([['approve', 'http']]);
  },
);

test('v2 of 2026: who decides elsewhere is first, and the late answer changes nothing', async () => {
  await using bench = await gatewayBench();
  await using client = await user(bench, 'v2 of 2026', async () => {
    await decide(bench, await waiting(bench), { kind: 'reject', feedback: 'no' });
    return { action: 'accept', content: { decision: 'approve' } };
  });
  expect(await client.call('write_file', write)).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'REJECTED', details: { feedback: 'no' } } },
  });
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
  expect(await decidedBy(bench)).toEqual([['reject', 'http']]);
});

test.each(flavours)('%s: what a human edited is what ran, and is told', async (flavour) => {
  await using bench = await gatewayBench();
  await using client = await user(bench, flavour);
  const ended = client.call('write_file', write);
  await decide(bench, await waiting(bench), { kind: 'edit', args: { ...write, content: 'edited\n' } });
  expect((await ended).content[0]?.text).toMatch(/^A human edited this call before it ran.*edited/);
  expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('edited\n');
});

test.each(['v1', 'v2'] as const)(
  '%s: a client that can’t ask is told where, and the link decides',
  async (flavour) => {
    await using bench = await gatewayBench();
    await using client = await user(bench, flavour);
    const ended = client.call('write_file', write);
    await expect.poll(() => client.notices, { timeout: 10_000 }).toHaveLength(1);
    const link = /http:\S+\/approve\/\S+/.exec(client.notices[0] ?? '')?.[0] ?? '';
    const answered = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'decision=approve',
    });
    expect(answered.status).toBe(200);
    const result = await ended;
    expect(result).toMatchObject({ structuredContent: { success: true } });
    // A model reads results, and must not be handed the means to approve.
    expect(JSON.stringify(result)).not.toContain('/approve/');
    expect(await decidedBy(bench)).toEqual([['approve', 'link']]);
  },
);

test('v2 of 2026: a client that can’t ask is told where by progress, since it wanted no log', async () => {
  await using bench = await gatewayBench();
  await using client = await user(bench, 'v2 of 2026');
  const told = Promise.withResolvers<string>();
  const ended = client.call('write_file', write, {
    onprogress: ({ message = '' }) => told.resolve(message),
  });
  expect(await told.promise).toMatch(/waits for a human: Create b.txt.*\/approve\//);
  await decide(bench, await waiting(bench), { kind: 'approve' });
  expect(await ended).toMatchObject({ structuredContent: { success: true } });
});

test.each(flavours)('%s: when nobody decides in time, the result says so', async (flavour) => {
  await using bench = await gatewayBench({ approvalMs: 300 });
  await using client = await user(bench, flavour);
  const result = await client.call('write_file', write);
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'APPROVAL_EXPIRED' } } });
  expect(result.content[0]?.text).toContain('Repeat the call when somebody can answer.');
});
