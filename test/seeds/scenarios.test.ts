// Every scenario of seeds 000 and 004 that fixtures/scenarios holds, played over a real socket: the call as the seed spells it, the
// decisions as messages, and the whole answer compared with the seed's.
import { cpSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findDialect, type Json } from '@codelab/dialects';
import { Decision } from '@codelab/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../support/gateway-bench.ts';
import { commitFirst, stage as stageFiles } from '../support/scenario-repository.ts';
import { openStage, type Stage } from './stage.ts';

const scenarios = join(import.meta.dirname, '..', '..', 'fixtures', 'scenarios');
const folders = globSync('*/seed-00[04]-*/call.json', { cwd: scenarios }).sort().map(dirname);
let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

test('there are examples', () => expect(folders.length).toBeGreaterThan(20));

for (const folder of folders)
  for (const name of ['codelab', 'agent'] as const)
    if (messageFor(folder, 'call.json', name) !== undefined)
      test(`${folder} in ${name}`, () => play(folder, name));

async function play(folder: string, name: 'codelab' | 'agent'): Promise<void> {
  stage.lay();
  prepare(join(scenarios, folder), stage.root);
  const client = await stage.socket(name);
  const decisions = [jsonOf(folder, 'decision.json') ?? []].flat() as Json[];
  const results: Json[] = [];
  for (const call of [messageFor(folder, 'call.json', name)].flat() as Json[])
    results.push(await answerTo(client, call, decisions, name));
  const expected = messageFor(folder, 'result.json', name);
  expect(normal(Array.isArray(expected) ? results : results[0], expected)).toEqual(expected);
  expect(stage.gateway.faults).toEqual([]);
  await client.close();
}

async function answerTo(client: Client, call: Json, decisions: Json[], name: string): Promise<Json> {
  client.send(call);
  for (;;) {
    const { seq, ...message } = await client.next(['tool_call', 'tool_result']);
    // A message without a log position or an error reports the progress of a command.
    if (message.type === 'tool_result' && (seq !== undefined || message.error !== undefined)) return message;
    if (message.type !== 'tool_call') continue;
    const nextDecision = decisions.shift() ?? {};
    client.send(spelled((nextDecision.decision ?? nextDecision) as Json, String(message.call_id), name));
  }
}

/** decision.json holds the message of each dialect, or a decision in the neutral form. */
function spelled(decision: Json, callId: string, name: string): unknown {
  if (!('kind' in decision)) return decision[name];
  return findDialect(name).encode({ type: 'decision', callId, decision: Decision().parse(decision) });
}

function prepare(folder: string, root: string): void {
  commitFirst(folder, root);
  const before = join(folder, 'before');
  if (existsSync(before)) cpSync(before, root, { recursive: true, verbatimSymlinks: true });
  for (const keep of globSync('**/.gitkeep', { cwd: root })) rmSync(join(root, keep));
  stageFiles(folder, root);
}

function jsonOf(folder: string, file: string): unknown {
  const path = join(scenarios, folder, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function messageFor(folder: string, file: string, name: string): Json | Json[] | undefined {
  return (jsonOf(folder, file) as Record<string, Json | Json[]>)[name];
}

/** The value with a placeholder wherever the expectation has one and the kind of value fits. */
function normal(value: unknown, expected: unknown): unknown {
  if (expected === '<any-string>' && typeof value === 'string' && value !== '') return expected;
  if (expected === '<any-number>' && typeof value === 'number') return expected;
  if (typeof value !== 'object' || value === null || typeof expected !== 'object' || expected === null)
    return value;
  if (Array.isArray(value)) return value.map((item, i) => normal(item, (expected as unknown[])[i]));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, normal(item, (expected as Json)[key])]),
  );
}
