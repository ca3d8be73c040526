// An executor may answer in place of a gateway that has the files: the results of the scenarios, sent by an executor, reach all peers
// unchanged.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findDialect, type Json, type Spelling } from '@codelab/dialects';
import { describe, expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';

const scenarios = join(import.meta.dirname, '../..', 'fixtures', 'scenarios');
const folders = globSync('*/*/result.json', { cwd: scenarios }).sort().map(dirname);
// Answered by the gateway wherever the files are: a human's words, the list of things to do, what only a running agent has.
const notAtClient = ['prompt_user', 'todowrite', 'skill', 'unknown_tool', 'apply_patch_review'];

describe.each<Spelling>(['agent', 'codelab'])('in the spelling of %s', (spelling) => {
  test('every result of the scenarios', { timeout: 60_000 }, async () => {
    await using bench = await gatewayBench();
    const query = `?dialect=${spelling}`;
    const executor = await bench.connect('s1', { query: `${query}&role=executor` });
    const approver = await bench.connect('s1', { query: `${query}&role=approver` });
    const [received, sentMessages]: [Json, Json] = [{}, {}];
    const extensions = extensionsOf(spelling);
    for (const folder of folders) {
      const [call, result] = [
        messageOf(folder, 'call.json', spelling),
        messageOf(folder, 'result.json', spelling),
      ];
      if (call === undefined || result?.result === undefined || isOther(folder, call, spelling)) continue;
      const call_id = folder;
      approver.send({ ...call, call_id });
      const isMine = (message: Json): boolean => message.call_id === call_id;
      for (let order: Json = {}; order.type !== 'tool_result'; ) {
        order = await executor.next(['tool_call', 'tool_result'], isMine);
        if (order.requires_approval === true)
          approver.send({ type: 'hitl_decision', call_id, decision: 'approve' });
        else if (order.type === 'tool_call') executor.send({ ...withDates(result), call_id });
      }
      const { seq: _seq, ...answer } = await approver.next(
        'tool_result',
        (one) => isMine(one) && one.seq !== undefined,
      );
      received[folder] = answer;
      if (extensions.has(dirname(folder))) expect(answer).toMatchObject({ error_code: 'TOOL_NOT_FOUND' });
      sentMessages[folder] = extensions.has(dirname(folder)) ? answer : { ...withDates(result), call_id };
    }
    expect(Object.keys(sentMessages).length).toBeGreaterThan(30);
    expect(received).toEqual(sentMessages);
    expect(bench.faults).toEqual([]);
  });
});

/**
 * Left out: results that no executor sends, that a human changed, that are in another dialect, or that have a path of a root only
 * the executor knows.
 */
function isOther(folder: string, call: Json, spelling: Spelling): boolean {
  if (folder === 'read_file/absolute-inside') return true;
  const decision = join(scenarios, folder, 'decision.json');
  const isChanged = existsSync(decision) && /"(edit|hunks)"/.test(readFileSync(decision, 'utf8'));
  const [its, others] = spelling === 'agent' ? ['arguments', 'args'] : ['args', 'arguments'];
  return notAtClient.includes(dirname(folder)) || isChanged || !(its in call) || others in call;
}

/** Tools that a client of this wire is not expected to have: it is not asked for them. */
function extensionsOf(spelling: Spelling): Set<string> {
  const { tools } = findDialect(spelling);
  const namesOf = (rows: typeof tools): Set<string> => new Set(rows.map(({ tool }) => tool));
  const expected = namesOf(tools.filter(({ isExtension }) => isExtension !== true));
  return namesOf(tools).difference(expected);
}

function messageOf(folder: string, file: string, spelling: Spelling): Json | undefined {
  const text = readFileSync(join(scenarios, folder, file), 'utf8').replaceAll('<workspace>', '/w');
  const calls = (JSON.parse(text) as Record<string, Json | Json[]>)[spelling];
  return Array.isArray(calls) ? undefined : calls;
}

/** Times, durations and ids that nobody can foresee. */
function withDates(result: Json): Json {
  const text = JSON.stringify(result).replaceAll('"<any-string>"', '"2026-01-09T10:00:00.000Z"');
  return JSON.parse(text.replaceAll('"<any-number>"', '7')) as Json;
}
