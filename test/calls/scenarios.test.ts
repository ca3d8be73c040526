/**
 * Plays every folder of fixtures/scenarios in every dialect its call.json lists, through the real runtime: copies `before/`,
 * decodes each call, answers what a human is asked, then compares the wire results and the whole tree with `result.json` and `after/`.
 * fixtures/scenarios/README.md says what a folder holds.
 */
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { addressOf, type Dialect, findDialect, type Json, refuse, type WireCall } from '@codelab/dialects';
import { type ApprovalRequest, Decision, ToolError } from '@codelab/protocol';
import { answerApproval, type Host, runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { expect, test } from 'vitest';
import { commitFirst, stage } from '../support/scenario-repository.ts';

type Step = { decision: Json; refused?: string };
/** The human's remaining answers, and the number of approvals. */
type Human = { left: Step[] | 'expire'; asked: number };
type Stage = { folder: string; dialect: Dialect; workspace: string; host: Host; human: Human };

const scenarios = join(import.meta.dirname, '../..', 'fixtures', 'scenarios');
const session = 'scenario';
const calls = globSync('*/*/call.json', { cwd: scenarios }).sort();

test('there are scenarios', () => expect(calls.length).toBeGreaterThan(50));

for (const file of calls) {
  const folder = dirname(file);
  for (const name of Object.keys(readJson(join(scenarios, file)) as Json)) {
    test.concurrent(`${folder} in ${name}`, () => play(join(scenarios, folder), name));
  }
}

async function play(folder: string, name: string): Promise<void> {
  const temp = mkdtempSync(join(tmpdir(), 'codelab-scenario-'));
  try {
    const workspace = prepare(folder, temp);
    const dialect = findDialect(name, { root: workspace });
    const expected = existsSync(join(folder, 'after')) ? treeOf(join(folder, 'after')) : treeOf(workspace);
    const result = await answersTo({ folder, dialect, workspace }, join(temp, 'home'));
    const expectedText = messageFor({ folder, dialect, workspace }, 'result.json');
    expect(normal(result, expectedText)).toEqual(expectedText);
    expect(treeOf(workspace)).toEqual(expected);
    expect(treeOf(join(temp, 'outside'))).toEqual({ 'secret.txt': 'file - secret\n' });
    expect(readdirSync(temp).sort()).toEqual(['home', 'outside', 'workspace']);
  } finally {
    rmSync(temp, { recursive: true });
  }
}

function prepare(folder: string, temp: string): string {
  const workspace = join(temp, 'workspace');
  mkdirSync(workspace);
  mkdirSync(join(temp, 'home'));
  mkdirSync(join(temp, 'outside'));
  writeFileSync(join(temp, 'outside', 'secret.txt'), 'secret\n');
  const before = join(folder, 'before');
  commitFirst(folder, workspace);
  if (existsSync(before)) cpSync(before, workspace, { recursive: true, verbatimSymlinks: true });
  for (const keep of globSync('**/.gitkeep', { cwd: workspace })) rmSync(join(workspace, keep));
  for (const [path, size] of Object.entries(
    (readJsonIfThere(join(folder, 'sizes.json')) ?? {}) as Record<string, number>,
  )) {
    writeFileSync(join(workspace, path), '');
    truncateSync(join(workspace, path), size);
  }
  stage(folder, workspace);
  return workspace;
}

/** The answer to the call, or to each of a list of calls in one lasting session. */
async function answersTo(stageFields: Omit<Stage, 'host' | 'human'>, home: string): Promise<unknown> {
  const { folder, workspace } = stageFields;
  const decisions = readJsonIfThere(join(folder, 'decision.json'), { workspace }) as
    | 'expire'
    | Json
    | Json[]
    | undefined;
  const left = decisions === 'expire' ? decisions : [decisions ?? []].flat().map(toStep);
  const limits = left === 'expire' ? { limits: { approvalMs: 250 } } : {};
  await using composed = await compose({ workspace, home, env: {}, ...limits });
  const stage: Stage = { ...stageFields, host: composed.host, human: { left, asked: 0 } };
  const wire = messageFor(stageFields, 'call.json');
  const results: Json[] = [];
  for (const wireCall of [wire].flat() as Json[])
    results.push(await answerTo(wireCall, stage, Array.isArray(wire)));
  if (left !== 'expire') expect(left).toEqual([]);
  expect(stage.human.asked > 0).toBe(decisions !== undefined);
  return Array.isArray(wire) ? results : results[0];
}

function toStep(json: Json): Step {
  return ('decision' in json ? json : { decision: json }) as Step;
}

/** The wire's answer to a wire call, through reading, running and writing. */
async function answerTo(wire: Json, stage: Stage, isLasting: boolean): Promise<Json> {
  const { dialect } = stage;
  let call: WireCall;
  try {
    const message = dialect.decode(wire, { isLasting });
    if (message.type !== 'call') throw new Error('call.json holds no call');
    call = message.call;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return dialect.encode(refuse(addressOf(wire), error));
  }
  expect(dialect.decode(dialect.encode({ type: 'call', call }), { isLasting })).toEqual({
    type: 'call',
    call,
  });
  return await run(call, stage);
}

async function run(call: WireCall, stage: Stage): Promise<Json> {
  const { dialect, host } = stage;
  const stop = new AbortController();
  const { id, tool, args, requiresApproval } = call;
  const toolCall = { id, session, tool, args, dialect: dialect.name, requiresApproval };
  const [, outcome] = await Promise.all([
    answer(call, stage, stop),
    runCall(host, toolCall, stop.signal).finally(() => stop.abort()),
  ]);
  return dialect.encode({ type: 'result', asked: call, outcome });
}

/** Answers each question in turn; cancels a call that asks although decision.json says no more. */
async function answer(call: WireCall, stage: Stage, stop: AbortController): Promise<void> {
  const { host, human } = stage;
  try {
    for await (const { body } of host.log.subscribe(session, { since: 0, signal: stop.signal })) {
      if (body.type !== 'approval.requested' || body.approval.callId !== call.id) continue;
      checkQuestion(call, body.approval, stage);
      human.asked++;
      if (human.left !== 'expire') await decideNext(call, body.approval, stage, stop);
    }
  } catch (error) {
    if (!stop.signal.aborted) {
      stop.abort();
      throw error;
    }
  }
}

/** approval.json holds one question per dialect, or the list of them when there are several. */
function checkQuestion(call: WireCall, approval: ApprovalRequest, stage: Stage): void {
  const { folder, dialect, human } = stage;
  const encoded = dialect.encode({ type: 'approval', asked: call, approval });
  if (approval.again === undefined && human.asked === 0) {
    const { isLasting = false } = call;
    const expected = { type: 'call', call: { ...call, requiresApproval: true } };
    expect(dialect.decode(encoded, { isLasting })).toEqual(expected);
  }
  if (!existsSync(join(folder, 'approval.json'))) return;
  const expected = ([messageFor(stage, 'approval.json')].flat() as Json[])[human.asked];
  expect(normal(encoded, expected)).toEqual(expected);
}

async function decideNext(
  call: WireCall,
  approval: ApprovalRequest,
  { dialect, host, human }: Stage,
  stop: AbortController,
): Promise<void> {
  const stepsLeft = human.left as Step[];
  for (let step = stepsLeft.shift(); step !== undefined; step = stepsLeft.shift()) {
    const decision = dialect.settle(call, overTheWire(step.decision, dialect, call));
    const answerArgs = { session, approvalId: approval.id, decision, by: { who: 'tester', via: 'scenario' } };
    if (step.refused === undefined) return await answerApproval(host, answerArgs);
    await expect(answerApproval(host, answerArgs)).rejects.toMatchObject({ code: step.refused });
  }
  stop.abort();
}

/** Every decision travels over the wire: decision.json holds wire messages per dialect, or a Decision, or a list of steps. */
function overTheWire(json: Json, dialect: Dialect, call: WireCall): Decision {
  const wire =
    'kind' in json
      ? dialect.encode({ type: 'decision', callId: call.id, decision: Decision().parse(json) })
      : json[dialect.name];
  const message = dialect.decode(wire);
  if (message.type !== 'decision') throw new Error('decision.json holds no decision');
  expect(message.callId).toBe(call.id);
  return message.decision;
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

/** Every path below a directory with its kind, whether it may be executed, and its bytes. */
function treeOf(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    // Git's own files are not part of the workspace.
    if (path.endsWith('.gitkeep') || /^\.git(\/|$)/.test(path)) continue;
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) tree[path] = 'directory';
    else if (stat.isSymbolicLink()) tree[path] = `link ${readlinkSync(join(root, path))}`;
    else if (stat.size > 4 * 1024 * 1024) tree[path] = `file of ${stat.size} bytes`;
    else tree[path] = `file ${stat.mode & 0o100 ? 'x' : '-'} ${readFileSync(join(root, path), 'latin1')}`;
  }
  return tree;
}

function messageFor(
  { folder, dialect, workspace }: Omit<Stage, 'host' | 'human'>,
  file: string,
): Json | Json[] {
  const tools = dialect.tools.map(({ name }) => name).join(', ');
  const messages = readJson(join(folder, file), { workspace, tools }) as Record<string, Json | Json[]>;
  return messages[dialect.name] ?? {};
}

type Places = { workspace?: string; tools?: string };

/** `<workspace>` stands for the absolute path of the workspace, `<tools>` for the names of the dialect's tools. */
function readJson(file: string, { workspace = '<workspace>', tools = '<tools>' }: Places = {}): unknown {
  const text = readFileSync(file, 'utf8');
  return JSON.parse(text.replaceAll('<workspace>', workspace).replaceAll('<tools>', tools));
}

function readJsonIfThere(file: string, places?: Places): unknown {
  return existsSync(file) ? readJson(file, places) : undefined;
}
