// Seed 000: the questions it puts to people, and the messages that answer them.
import { join } from 'node:path';
import { expect } from 'vitest';
import { connectBench } from '../../support/connect-bench.ts';
import { folderWith } from '../../support/folder-with.ts';
import { answerTo, ask, codeOf, pair, withCallId } from '../exchange.ts';
import type { Json, SeedCase } from '../seed-case.ts';

const five = Array.from({ length: 41 }, (_, i) => `line ${i + 1}\n`).join('');
const fiveHunks = [1, 11, 21, 31, 41].map((n) => `@@ -${n} +${n} @@\n-line ${n}\n+LINE ${n}\n`).join('');
const diff = `diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n${fiveHunks}`;

export const people000: readonly SeedCase[] = [
  {
    id: 'apply_patch_review',
    item: 'Five chunks are shown with the message; `[1, 3, 4]` come back as a diff that applies',
    on: ['socket'],
    examples: ['201', '214'],
    async play({ stage }, call = {}, result = {}) {
      stage.lay({ 'a.txt': five });
      const client = await stage.socket('codelab');
      client.send({ ...call, args: { ...(call.args as Json), diff } });
      const question = await client.next('tool_call');
      expect(JSON.stringify(question.plan)).toContain('Review changes to authentication module');
      const { filtered_diff: _shown, ...chosenResult } = result.result as Json;
      client.send({ type: 'hitl_decision', call_id: call.call_id, decision: 'hunks', take: [1, 3, 4] });
      const answer = await client.next('tool_result');
      expect(answer).toMatchObject({ ...result, result: chosenResult });
      const { filtered_diff } = answer.result as { filtered_diff: string };
      expect(filtered_diff.match(/^@@/gm)).toHaveLength(3);
      const applied = await ask(
        client,
        withCallId({ tool_name: 'apply_patch', args: { diff: filtered_diff } }),
      );
      expect(applied).toMatchObject({ result: { success: true } });
      expect(stage.text('a.txt').match(/LINE \d+/g)).toEqual(['LINE 1', 'LINE 21', 'LINE 31']);
      await client.close();
    },
  },
  {
    id: 'apply_patch_review: answered by its response',
    item: 'The IDE shows the chunks and answers with the `tool_result` of the document',
    on: ['socket', 'executor'],
    examples: ['201', '214'],
    async play(at, call = {}, result = {}) {
      at.stage.lay({ 'a.txt': five });
      const reviewCall = { ...call, args: { ...(call.args as Json), diff } };
      const answer = { ...result, result: { ...(result.result as Json), filtered_diff: diff } };
      const both = at.wire === 'executor' ? await pair(at, 'codelab') : undefined;
      const client = both?.asks ?? (await at.stage.socket('codelab'));
      client.send(reviewCall);
      const shownCall = await (both?.has ?? client).next('tool_call');
      expect(shownCall).toMatchObject({ tool_name: 'apply_patch_review', args: reviewCall.args });
      (both?.has ?? client).send(answer);
      const reply = await client.next('tool_result', ({ seq }) => seq !== undefined);
      expect(reply).toMatchObject({
        result: { action: 'apply', chunks_selected: [1, 3, 4], chunks_total: 5 },
      });
    },
  },
  {
    id: 'apply_patch_review: cancel',
    item: '`cancel` chooses nothing',
    on: ['socket'],
    async play(at) {
      at.stage.lay({ 'a.txt': five });
      const call = { tool_name: 'apply_patch_review', args: { diff } };
      const cancel = { type: 'tool_result', result: { action: 'cancel' } };
      expect(await answerTo(at, call, { decide: [cancel] })).toMatchObject({
        result: { filtered_diff: '', action: 'cancel', chunks_selected: [], chunks_total: 5 },
      });
      expect(at.stage.text('a.txt')).toBe(five);
    },
  },
  {
    id: 'prompt_user',
    item: 'The request is shown; the response answers it, word for word',
    on: ['socket', 'executor'],
    examples: ['242', '255'],
    async play(at, call = {}, result = {}) {
      const both = at.wire === 'executor' ? await pair(at, 'codelab') : undefined;
      const client = both?.asks ?? (await at.stage.socket('codelab'));
      client.send(call);
      expect(await (both?.has ?? client).next('tool_call')).toMatchObject(call);
      (both?.has ?? client).send(result);
      const { seq: _seq, ...answer } = await client.next('tool_result', ({ seq }) => seq !== undefined);
      expect(answer).toEqual(result);
    },
  },
  {
    id: 'prompt_user: hitl_decision',
    item: 'A decision with the name of an offered action answers it',
    on: ['socket'],
    examples: ['242', '255'],
    async play(at, call = {}, result = {}) {
      const decide = [{ type: 'hitl_decision', decision: 'approve' }];
      expect(await answerTo(at, call, { decide })).toEqual(result);
    },
  },
  {
    id: 'prompt_user: actions',
    item: 'Only an offered action answers; no actions are `INVALID_ARGUMENTS`',
    on: ['socket'],
    examples: ['242'],
    async play({ stage }, call = {}) {
      const client = await stage.socket('codelab');
      client.send(call);
      await client.next('tool_call');
      client.send({ type: 'tool_result', call_id: call.call_id, result: { action: 'format' } });
      await client.next('error');
      client.send({ type: 'tool_result', call_id: call.call_id, result: { action: 'review' } });
      expect(await client.next('tool_result')).toMatchObject({ result: { action: 'review' } });
      const none = withCallId({ tool_name: 'prompt_user', args: { message: 'Well?', actions: [] } });
      expect(codeOf(await ask(client, none))).toBe('INVALID_ARGUMENTS');
      await client.close();
    },
  },
  {
    id: 'questions where `codelab connect` has the files',
    item: 'Both requests are put to whoever is at the gateway, and answered with the responses of the document',
    on: ['connect'],
    examples: ['201', '214', '242', '255'],
    async play({ stage }, review = {}, chosenResult = {}, prompt = {}, answer = {}) {
      const root = join(stage.aside, 'work');
      folderWith(root, { 'a.txt': five });
      const session = stage.newSession();
      const { url } = stage.gateway.running;
      await using connect = connectBench({ url, root, home: join(stage.aside, 'home'), session });
      await connect.next('connected');
      const client = await stage.socket('codelab', { session, role: 'approver' });
      expect(await ask(client, prompt, [answer])).toEqual(answer);
      const call = { ...review, args: { ...(review.args as Json), diff } };
      const { filtered_diff: _shortened, ...picked } = chosenResult.result as Json;
      expect(await ask(client, call, [{ ...chosenResult, result: picked }])).toMatchObject({
        ...chosenResult,
        result: { ...picked, filtered_diff: expect.stringMatching(/^(?:[^@]*@@[^@]+@@[^@]*){3}$/) },
      });
      await client.close();
    },
  },
];
