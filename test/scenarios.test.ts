/**
 * Plays every folder of fixtures/scenarios in every dialect its call.json lists, through the real runtime: copies `before/`,
 * decodes the call, answers what a human is asked, then compares the wire result and the whole tree with `result.json` and `after/`.
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
import { type AskedCall, addressOf, type Dialect, findDialect, type Json, refuse } from '@codelab/dialects';
import { type ApprovalRequest, Decision, ToolError } from '@codelab/protocol';
import { answerApproval, type Host, runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { expect, test } from 'vitest';

type Step = { decision: Decision; refused?: string };
type Answers = 'expire' | Step[] | undefined;

const scenarios = join(import.meta.dirname, '..', 'fixtures', 'scenarios');
const session = 'scenario';
const calls = globSync('*/*/call.json', { cwd: scenarios }).sort();

test('there are scenarios', () => expect(calls.length).toBeGreaterThan(50));

for (const file of calls) {
  const folder = dirname(file);
  for (const name of Object.keys(readJson(join(scenarios, file)) as Json)) {
    test.concurrent(`${folder} in ${name}`, () => play(join(scenarios, folder), findDialect(name)));
  }
}

async function play(folder: string, dialect: Dialect): Promise<void> {
  const temp = mkdtempSync(join(tmpdir(), 'codelab-scenario-'));
  try {
    const workspace = prepare(folder, temp);
    const expected = existsSync(join(folder, 'after')) ? treeOf(join(folder, 'after')) : treeOf(workspace);
    const wire = messageFor(folder, 'call.json', dialect);
    const result = await answerTo(wire, { folder, dialect, workspace, home: join(temp, 'home') });
    expect(normal(result, messageFor(folder, 'result.json', dialect))).toEqual(
      messageFor(folder, 'result.json', dialect),
    );
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
  if (existsSync(before)) cpSync(before, workspace, { recursive: true, verbatimSymlinks: true });
  for (const keep of globSync('**/.gitkeep', { cwd: workspace })) rmSync(join(workspace, keep));
  for (const [path, size] of Object.entries(
    (readJsonIfThere(join(folder, 'sizes.json')) ?? {}) as Record<string, number>,
  )) {
    writeFileSync(join(workspace, path), '');
    truncateSync(join(workspace, path), size);
  }
  return workspace;
}

type Stage = { folder: string; dialect: Dialect; workspace: string; home: string };

/** The wire's answer to a wire call, through reading, running and writing. */
async function answerTo(wire: Json, stage: Stage): Promise<Json> {
  const { dialect } = stage;
  let call: AskedCall;
  try {
    const message = dialect.decode(wire);
    if (message.type !== 'call') throw new Error('call.json holds no call');
    call = message.call;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return dialect.encode(refuse(addressOf(wire), error));
  }
  expect(dialect.decode(dialect.encode({ type: 'call', call }))).toEqual({ type: 'call', call });
  return await run(call, stage);
}

async function run(call: AskedCall, stage: Stage): Promise<Json> {
  const { folder, dialect, workspace, home } = stage;
  const answers = readAnswers(folder, dialect, call);
  await using composed = await compose({
    workspace,
    home,
    env: {},
    ...(answers === 'expire' ? { limits: { approvalMs: 250 } } : {}),
  });
  const { host } = composed;
  const stop = new AbortController();
  const { id, tool, args, requiresApproval } = call;
  const asked = { id, session, tool, args, dialect: dialect.name, requiresApproval };
  const [questions, outcome] = await Promise.all([
    answer(host, { call, stage, answers, stop }),
    runCall(host, asked, stop.signal).finally(() => stop.abort()),
  ]);
  expect(questions > 0).toBe(answers !== undefined);
  return dialect.encode({ type: 'result', asked: call, outcome });
}

type Human = { call: AskedCall; stage: Stage; answers: Answers; stop: AbortController };

/** Answers each question in turn; cancels a call that asks although no decision.json is there. Returns how many were asked. */
async function answer(host: Host, { call, stage, answers, stop }: Human): Promise<number> {
  const left = answers === 'expire' ? [] : [...(answers ?? [])];
  let asked = 0;
  try {
    for await (const { body } of host.log.subscribe(session, { since: 0, signal: stop.signal })) {
      if (body.type !== 'approval.requested') continue;
      checkQuestion(call, body.approval, stage, asked++);
      if (answers !== 'expire') await decideNext(host, body.approval, left, stop);
    }
  } catch (error) {
    if (!stop.signal.aborted) {
      stop.abort();
      throw error;
    }
  }
  expect(left).toEqual([]);
  return asked;
}

/** approval.json holds one question per dialect, or the list of them when a call is asked again. */
function checkQuestion(
  call: AskedCall,
  approval: ApprovalRequest,
  { folder, dialect }: Stage,
  round: number,
): void {
  const asked = dialect.encode({ type: 'approval', asked: call, approval });
  if (round === 0) {
    expect(dialect.decode(asked)).toEqual({ type: 'call', call: { ...call, requiresApproval: true } });
  }
  if (!existsSync(join(folder, 'approval.json'))) return;
  const expected = [messageFor(folder, 'approval.json', dialect)].flat()[round];
  expect(normal(asked, expected)).toEqual(expected);
}

async function decideNext(
  host: Host,
  approval: ApprovalRequest,
  left: Step[],
  stop: AbortController,
): Promise<void> {
  for (let step = left.shift(); step !== undefined; step = left.shift()) {
    await decide(host, approval, step);
    if (step.refused === undefined) return;
  }
  stop.abort();
}

async function decide(host: Host, approval: ApprovalRequest, { decision, refused }: Step): Promise<void> {
  const given = { session, approvalId: approval.id, decision, by: { who: 'tester', via: 'scenario' } };
  if (refused === undefined) return await answerApproval(host, given);
  await expect(answerApproval(host, given)).rejects.toMatchObject({ code: refused });
}

/** Every decision travels over the wire: decision.json holds wire messages per dialect, or a Decision, or a list of steps. */
function readAnswers(folder: string, dialect: Dialect, call: AskedCall): Answers {
  const said = readJsonIfThere(join(folder, 'decision.json')) as 'expire' | Json | Json[] | undefined;
  if (said === undefined || said === 'expire') return said;
  return [said].flat().map((one) => {
    const step = 'decision' in one ? one : { decision: one };
    const { decision, ...rest } = step as { decision: Json; refused?: string };
    return { ...rest, decision: dialect.settle(call, overTheWire(decision, dialect, call)) };
  });
}

function overTheWire(said: Json, dialect: Dialect, call: AskedCall): Decision {
  const wire =
    'kind' in said
      ? dialect.encode({ type: 'decision', callId: call.id, decision: Decision().parse(said) })
      : said[dialect.name];
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
    if (path.endsWith('.gitkeep')) continue;
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) tree[path] = 'directory';
    else if (stat.isSymbolicLink()) tree[path] = `link ${readlinkSync(join(root, path))}`;
    else if (stat.size > 4 * 1024 * 1024) tree[path] = `file of ${stat.size} bytes`;
    else tree[path] = `file ${stat.mode & 0o100 ? 'x' : '-'} ${readFileSync(join(root, path), 'latin1')}`;
  }
  return tree;
}

function messageFor(folder: string, file: string, dialect: Dialect): Json {
  return (readJson(join(folder, file)) as Record<string, Json>)[dialect.name] ?? {};
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function readJsonIfThere(file: string): unknown {
  return existsSync(file) ? readJson(file) : undefined;
}
