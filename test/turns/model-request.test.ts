// The system text before the conversation, and the offered tools: correct schemas that every provider accepts, and no useless tool.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostTool } from '@codelab/agent';
import { type Dialect, findDialect } from '@codelab/dialects';
import { type OpenTurn, openTurn } from '@codelab/server/agent';
import { expect, test } from 'vitest';
import { type Workbench, workbench } from '../support/workbench.ts';

type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: string[];
};

const openModel = async () => ({
  name: 'none',
  contextTokens: 128_000,
  stream: () => {
    throw new Error('No model is asked here.');
  },
});

function opened({ host, agents }: Workbench, session = 's1'): Promise<OpenTurn> {
  return openTurn({ host, agents, session, openModel, emit: () => undefined });
}

async function offeredTools(turn: OpenTurn, window = 128_000): Promise<readonly HostTool[]> {
  return await turn.agent.host.tools('build', new AbortController().signal, window);
}

const names = (tools: readonly HostTool[]): string[] => tools.map(({ name }) => name);

function walk(schema: Schema, visit: (node: Schema) => void): void {
  visit(schema);
  for (const field of Object.values(schema.properties ?? {})) walk(field, visit);
  if (schema.items !== undefined) walk(schema.items, visit);
}

/** Everything that can be offered: git, skills, and what earlier calls make usable. */
async function everything(bench: Workbench): Promise<readonly HostTool[]> {
  execFileSync('git', ['init', '-q', '-b', 'main', bench.root]);
  const turn = await opened(bench);
  const facts = { status: 'completed' as const, callId: 'c', effects: [], durationMs: 0, finishedAt: '' };
  for (const tool of ['run_persistent', 'undo', 'todowrite'])
    turn.agent.host.tell({
      ...facts,
      tool,
      data: { items: [], taken_back: [], refused: [], held_back: [] },
    } as never);
  return await offeredTools(turn);
}

const skill = {
  '.codelab/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: How to deploy.\n---\nPush.\n',
};

test('schemas have only what every provider takes, and say what is in each list', async () => {
  await using bench = await workbench({ files: skill });
  const tools = await everything(bench);
  expect(tools.length).toBeGreaterThan(28);
  for (const { name, input } of tools)
    walk(input as Schema, (node) => {
      const keywords = Object.keys(node).filter((key) => key !== 'description');
      expect(['type', 'properties', 'required', 'items', 'enum'], name).toEqual(
        expect.arrayContaining(keywords),
      );
      expect(['object', 'array', 'string', 'integer', 'number', 'boolean'], name).toContain(node.type);
      if (node.type === 'object') expect(node.properties, name).toBeDefined();
      if (node.type === 'array') expect(node.items, name).toBeDefined();
      for (const field of node.required ?? []) expect(node.properties, name).toHaveProperty(field);
    });
});

/** A value that the schema takes. */
function sample(schema: Schema): unknown {
  const [choice] = schema.enum ?? [];
  if (choice !== undefined) return choice;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, node]) => [name, sample(node)]),
      );
    case 'array':
      return [sample(schema.items ?? {})];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return 'a';
  }
}

function coreIssues(
  { host }: Workbench,
  dialect: Dialect,
  tool: string,
  args: Record<string, unknown>,
): unknown {
  const call = dialect.ask({ id: 'c', tool, args });
  return host.tools.get(call.tool)?.input().safeParse(call.args).error?.issues;
}

test('every argument that is offered is taken, each value of an enum too', async () => {
  await using bench = await workbench({ files: skill });
  const dialect = findDialect('codelab');
  for (const { name, input } of await everything(bench)) {
    const { properties = {}, required = [] } = input as Schema;
    const needed = Object.fromEntries(required.map((field) => [field, sample(properties[field] ?? {})]));
    for (const [field, schema] of Object.entries(properties))
      for (const value of schema.enum ?? [sample(schema)])
        expect(
          coreIssues(bench, dialect, name, { ...needed, [field]: value }),
          `${name} ${field}`,
        ).toBeUndefined();
  }
});

test('what cannot be used yet is not offered, and comes with the call that it needs', async () => {
  await using bench = await workbench({ mode: 'trusted' });
  const turn = await opened(bench);
  const before = names(await offeredTools(turn));
  for (const name of [
    'skill',
    'git.status',
    'read_process',
    'kill_process',
    'redo',
    'todoread',
    'restore_held_back',
  ])
    expect(before).not.toContain(name);
  expect(await offeredTools(turn)).toBe(await offeredTools(turn));
  execFileSync('git', ['init', '-q', bench.root]);
  expect(names(await offeredTools(turn))).toContain('git.status');
  const wrote = await bench.call('todowrite', { todos: [{ content: 'Read' }] });
  turn.agent.host.tell(wrote);
  expect(names(await offeredTools(turn))).toContain('todoread');
  // The same for who opens the session again.
  const reopened = await opened(bench);
  reopened.agent.host.tell(wrote);
  expect(names(await offeredTools(reopened))).toContain('todoread');
});

test('a small window gets the tools that the work cannot do without', async () => {
  await using bench = await workbench();
  const turn = await opened(bench);
  const small = await offeredTools(turn, 16_384);
  expect(names(small).toSorted()).toEqual(
    ['edit_file', 'list_files', 'read_file', 'run_command', 'search_in_project', 'write_file'].toSorted(),
  );
  expect(JSON.stringify(small).length).toBeLessThan(4200);
  // The tools of language servers are offered only where a server is installed.
  const all = Object.groupBy(await offeredTools(turn), ({ name }) =>
    name.startsWith('lsp_') ? 'lsp' : 'others',
  );
  expect(
    JSON.stringify(all.others).length,
    'Every request carries these descriptions: a tool costs about 200 characters. Shorten its summary or its notes in describe-input.ts, or leave it out of what models are offered (model-tools.ts).',
  ).toBeLessThan(10_000);
  expect(JSON.stringify(all.lsp ?? []).length).toBeLessThan(2800);
});

test('the environment is told last, and stays the same while the files change', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'a\n' }, mode: 'balanced' });
  execFileSync('git', ['init', '-q', '-b', 'topic', bench.root]);
  const { agent } = await opened(bench);
  const lines = agent.environment?.split('\n') ?? [];
  expect(lines.slice(0, 2)).toEqual(['<environment>', `Folder: ${bench.host.workspace.root.real}`]);
  expect(agent.environment).toContain('Mode balanced: reading, and commands that only read, run unasked');
  expect(agent.environment).toMatch(/\nDate: \d{4}-\d\d-\d\d\n/);
  // A machine under load may not hear from git in time: then nothing is said of it.
  const git = lines.find((line) => line.startsWith('Git'));
  if (git !== undefined) expect(git).toBe('Git at the start of the session: branch topic; ?? a.txt');
  writeFileSync(join(bench.root, 'b.txt'), 'b\n');
  expect((await opened(bench)).agent.environment).toBe(agent.environment);
});
