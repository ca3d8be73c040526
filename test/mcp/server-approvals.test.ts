// Approvals over MCP: in the client, elsewhere, by a link, or not at all; and that only an explicit yes approves.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { decide, decidedBy, events, nextPending, pending, user, write } from '../support/mcp-server-bench.ts';
import { type Answering, flavours } from '../support/mcp-user.ts';
import { smallWeb } from '../support/small-web.ts';

test.each(flavours)('%s: an edit is asked in the client, and its user decides', async (flavour) => {
  await using bench = await gatewayBench();
  const questions: string[] = [];
  const answers: Awaited<ReturnType<Answering>>[] = [
    { action: 'accept', content: { decision: 'reject', reason: 'not now' } },
    { action: 'decline' },
    { action: 'cancel' },
    { action: 'accept', content: { decision: 'approve' } },
  ];
  await using client = await user(bench, flavour, ({ message }) => {
    questions.push(message);
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
  expect(questions[0]).toMatch(/^LOW RISK: write_file: Create b.txt/);
  expect(questions[0]).toContain('create: b.txt');
  expect(questions[0]).toContain('+new');
  expect(questions).toHaveLength(4);
  const via = flavour === 'v1' ? 'mcp:editor/1.0' : 'mcp:editor/2.1';
  expect(await decidedBy(bench)).toEqual([
    ['reject', via],
    ['reject', via],
    ['reject', via],
    ['approve', via],
  ]);
  const titles = (await events(bench)).flatMap((body) =>
    body.type === 'session.titled' ? [body.title] : [],
  );
  expect(titles).toEqual([`${via.slice(4)} over MCP`]);
});

test.each(flavours)('%s: an answer that is no yes is a no, however it looks', async (flavour) => {
  await using bench = await gatewayBench();
  const oddValues = [
    {},
    { decision: '' },
    { decision: 'APPROVE' },
    { decision: 'yes' },
    { answer: 'approve' },
  ];
  const remaining = [...oddValues];
  await using client = await user(bench, flavour, () => ({
    action: 'accept',
    content: remaining.shift() as Record<string, string>,
  }));
  for (const _ of oddValues) expect(await client.call('write_file', write)).toMatchObject({ isError: true });
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
    const disconnect = Promise.withResolvers<void>();
    await using client = await user(
      bench,
      flavour,
      (_question, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            disconnect.resolve();
            reject(new Error('taken away'));
          });
        }),
    );
    const ended = client.call('write_file', write);
    expect((await decide(bench, await nextPending(bench), { kind: 'approve' })).status).toBe(200);
    expect(await ended).toMatchObject({ structuredContent: { success: true } });
    await disconnect.promise;
    expect(await decidedBy(bench)).toEqual([['approve', 'http']]);
  },
);

test('v2 of 2026: who decides elsewhere is first, and the late answer changes nothing', async () => {
  await using bench = await gatewayBench();
  await using client = await user(bench, 'v2 of 2026', async () => {
    await decide(bench, await nextPending(bench), { kind: 'reject', feedback: 'no' });
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
  const ended = client.call('write_file', write, { onprogress: () => undefined });
  await decide(bench, await nextPending(bench), { kind: 'edit', args: { ...write, content: 'edited\n' } });
  expect((await ended).content[0]?.text).toMatch(/^A human edited this call before it ran.*edited/);
  expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('edited\n');
});

test.each(flavours)('%s: a client that can’t ask is answered at once where to decide', async (flavour) => {
  await using bench = await gatewayBench();
  await using client = await user(bench, flavour);
  const first = await client.call('write_file', write);
  expect(first).toMatchObject({ isError: true, structuredContent: { error: { code: 'APPROVAL_PENDING' } } });
  expect(first.content[0]?.text).toContain('Create b.txt');
  expect(first.content[0]?.text).toContain('codelab approvals watch');
  // Asked again before the decision: nothing is asked twice.
  expect(await client.call('write_file', write)).toMatchObject({ isError: true });
  expect(await pending(bench)).toHaveLength(1);
  await decide(bench, await nextPending(bench), { kind: 'approve' });
  const second = await client.call('write_file', write);
  expect(second).toMatchObject({ structuredContent: { success: true } });
  const finished = (await events(bench)).filter(({ type }) => type === 'call.finished');
  expect(finished).toHaveLength(1);
  // From here on it is a new call, and is asked about.
  await client.call('write_file', { ...write, content: 'newer\n' });
  expect(await pending(bench)).toHaveLength(1);
});

test.each(flavours)('%s: what was refused meanwhile is told, and only once', async (flavour) => {
  await using bench = await gatewayBench();
  await using client = await user(bench, flavour);
  await client.call('write_file', write);
  await decide(bench, await nextPending(bench), { kind: 'reject', feedback: 'not now' });
  expect((await client.call('write_file', write)).content[0]?.text).toContain('not now');
  expect(await client.call('write_file', write)).toMatchObject({
    structuredContent: { error: { code: 'APPROVAL_PENDING' } },
  });
  expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
});

test.each(flavours)('%s: nothing that a model is told decides', async (flavour) => {
  await using bench = await gatewayBench();
  await using client = await user(bench, flavour);
  const answerText = JSON.stringify(await client.call('write_file', write));
  const { approval } = await nextPending(bench);
  // The answer has neither the link that decides, nor the id that a command would need, nor the key that signs a state.
  for (const means of ['/approve/', approval.id, 'requestState', 'secret-token'])
    expect(answerText).not.toContain(means);
  for (const { uri } of await client.resources()) expect(await client.read(uri)).not.toContain(approval.id);
  expect(await pending(bench)).toHaveLength(1);
});

test.each(['v1', 'v2'] as const)(
  '%s: the client, not the model, is told of a link that decides',
  async (flavour) => {
    await using bench = await gatewayBench();
    await using client = await user(bench, flavour);
    const first = await client.call('write_file', write);
    await expect.poll(() => client.notices, { timeout: 10_000 }).toHaveLength(1);
    const link = /http:\S+\/approve\/\S+/.exec(client.notices[0] ?? '')?.[0] ?? '';
    const response = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'decision=approve',
    });
    expect(response.status).toBe(200);
    const result = await client.call('write_file', write);
    expect(result).toMatchObject({ structuredContent: { success: true } });
    expect(JSON.stringify([first, result])).not.toContain('/approve/');
    expect(await decidedBy(bench)).toEqual([['approve', 'link']]);
  },
);

test.each(flavours)(
  '%s: a client that can’t ask but hears progress is told by it, and waits',
  async (flavour) => {
    await using bench = await gatewayBench();
    await using client = await user(bench, flavour);
    const progressMessage = Promise.withResolvers<string>();
    const ended = client.call('write_file', write, {
      onprogress: ({ message = '' }) => progressMessage.resolve(message),
    });
    expect(await progressMessage.promise).toMatch(
      /waits for a human: Create b.txt.*\/approve\/.*codelab approvals approve/,
    );
    await decide(bench, await nextPending(bench), { kind: 'approve' });
    expect(await ended).toMatchObject({ structuredContent: { success: true } });
  },
);

test.each(flavours)('%s: when nobody decides in time, the result says so', async (flavour) => {
  await using bench = await gatewayBench({ approvalMs: 300 });
  await using client = await user(bench, flavour);
  const result = await client.call('write_file', write, { onprogress: () => undefined });
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'APPROVAL_EXPIRED' } } });
  expect(result.content[0]?.text).toContain('Repeat the call when a person can answer.');
});

test('where there is a page, the answer names it, and its address alone decides nothing', async () => {
  await using bench = await smallWeb();
  await using client = await user(bench, 'v1');
  const { content } = await client.call('write_file', write);
  const { session_id } = await nextPending(bench);
  const [page = ''] = /http:\S+(?=, or)/.exec(content[0]?.text ?? '') ?? [];
  expect(page).toBe(`${bench.running.url}/#/${session_id}`);
  expect((await fetch(page)).status).toBe(401);
  expect(await pending(bench)).toHaveLength(1);
});
