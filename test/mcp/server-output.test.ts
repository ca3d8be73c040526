// Output schemas over MCP. The clients that others wrote hold every result to the schema it was promised, so that a wrong one is an error.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { user } from '../support/mcp-server-bench.ts';
import { type Answering, flavours } from '../support/mcp-user.ts';
import { scenarioCall } from '../support/scenario-call.ts';

type Json = Record<string, unknown>;

const agree: Answering = ({ requestedSchema }) => {
  const { decision } = requestedSchema.properties as { decision: { enum: string[] } };
  return { action: 'accept', content: { decision: decision.enum[0] ?? '' } };
};

const diff = '--- a/c.txt\n+++ b/c.txt\n@@ -1 +1 @@\n-three\n+3\n';

/** Calls that end in different ways. A tool that is not among them is called as in its first scenario. */
const calls: [string, Json][] = [
  ['read_file', { path: 'a.txt' }],
  ['read_file', { path: 'a.txt', start_line: 1, end_line: 1 }],
  ['write_file', { path: 'new/b.txt', content: 'two\n' }],
  ['edit_file', { path: 'a.txt', old_string: 'one', new_string: '1' }],
  ['edit_file', { path: 'q.txt', old_string: 'say “hi”', new_string: 'hi', tolerant: true }],
  ['multi_edit', { path: 'a.txt', edits: [{ old_string: '1', new_string: 'one' }] }],
  ['notebook_edit', { path: 'n.ipynb', cell_number: 0, new_source: 'print(2)' }],
  ['apply_patch', { diff }],
  ['apply_patch_review', { diff: diff.replaceAll('three', '3').replace('+3', '+4') }],
  ['undo', {}],
  ['redo', {}],
  ['list_files', {}],
  ['list_files', { path: 'new', recursive: true }],
  ['search_in_project', { query: 'one' }],
  ['search_in_project', { query: 'nothing like this' }],
  ['create_directory', { path: 'd' }],
  ['move_file', { from: 'c.txt', to: 'd/c.txt' }],
  ['delete_file', { path: 'd/c.txt' }],
  ['run_command', { command: 'echo hi; exit 3' }],
  ['run_persistent', { command: 'cat', process_id: 'p' }],
  ['write_process', { process_id: 'p', input: 'hi\n' }],
  ['read_process', { process_id: 'p' }],
  ['list_processes', {}],
  ['kill_process', { process_id: 'p' }],
  ['read_process', { process_id: 'p' }],
  ['git_status', {}],
  ['git_diff', {}],
  ['git_branch', {}],
  ['git_branch', { action: 'create', name: 'other' }],
  ['git_commit', { message: 'All', files: ['q.txt'] }],
  ['git_log', {}],
  ['lsp_diagnostics', { path: 'a.txt' }],
  ['lsp_definition', { path: 'a.txt', line: 1, character: 1 }],
  ['lsp_hover', { path: 'a.txt', line: 1, character: 1 }],
  ['lsp_references', { path: 'a.txt', line: 1, character: 1 }],
  ['lsp_symbols', { path: 'a.txt' }],
  ['lsp_rename', { path: 'a.txt', line: 1, character: 1, new_name: 'b' }],
  ['prompt_user', { message: 'Which?', actions: ['red', 'blue'] }],
  ['todowrite', { todos: [{ content: 'x', status: 'pending', priority: 'high' }] }],
  ['todoread', {}],
  ['skill', { action: 'list' }],
  ['skill', { action: 'load', name: 'release' }],
];
/** Calls that can't succeed here. */
const failing: [string, Json][] = [
  ['restore_held_back', { call_id: 'none' }],
  ['read_file', { path: 'nope.txt' }],
  ['write_file', { path: '.git/hooks/pre-commit', content: 'x' }],
];

const cell = { cell_type: 'code', metadata: {}, source: ['print(1)'], outputs: [], execution_count: null };
const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
const files = {
  'a.txt': 'one\n',
  'q.txt': 'say "hi"\n',
  'c.txt': 'three\n',
  'n.ipynb': JSON.stringify(notebook),
  '.codelab/skills/release/SKILL.md': '---\nname: release\ndescription: How to release.\n---\nRun.\n',
};

function initRepository(cwd: string): void {
  const git = (...words: string[]): unknown => execFileSync('git', words, { cwd, stdio: 'ignore' });
  git('init', '-b', 'main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.test');
  git('add', '.');
  git('commit', '-m', 'Begin');
}

test.each(flavours)('%s: every result, good or bad, fits the schema that was promised', async (flavour) => {
  await using bench = await gatewayBench({ files, prepare: initRepository });
  await using client = await user(bench, flavour, agree);
  const tools = await client.tools();
  const called = new Set([...calls, ...failing].map(([name]) => name));
  const others = tools
    .filter(({ name }) => !called.has(name))
    .map(({ name }): [string, Json] => [name, scenarioCall(name, bench.root)]);
  expect(tools.filter(({ outputSchema }) => outputSchema?.type !== 'object')).toEqual([]);
  for (const [name, args] of [...calls, ...others]) {
    const { isError = false, structuredContent, content } = await client.call(name, args);
    expect([name, isError, isError ? content : '']).toEqual([name, false, '']);
    // The answer has no field that the schema does not know.
    const known = Object.keys(tools.find((tool) => tool.name === name)?.outputSchema?.properties ?? {});
    expect([name, Object.keys(structuredContent ?? {}).filter((key) => !known.includes(key))]).toEqual([
      name,
      [],
    ]);
  }
  for (const [name, args] of failing)
    expect(await client.call(name, args)).toMatchObject({
      isError: true,
      structuredContent: { error: { code: expect.any(String), next: expect.any(String) } },
    });
});

test('a schema knows what is always there, and what a result may leave out', async () => {
  await using bench = await gatewayBench();
  await using client = await user(bench, 'v2');
  const schemaOf = async (name: string) =>
    (await client.tools()).find((tool) => tool.name === name)?.outputSchema;
  expect(await schemaOf('list_files')).toMatchObject({
    type: 'object',
    properties: {
      files: {
        type: 'array',
        items: {
          properties: {
            size: { type: 'integer' },
            type: { enum: ['file', 'directory', 'symlink', 'other'] },
          },
          required: ['name', 'path', 'type'],
        },
      },
    },
    anyOf: [{ required: ['path', 'files', 'total', 'truncated'] }, { required: ['error'] }],
  });
  expect(await schemaOf('git_status')).toMatchObject({
    anyOf: [{ required: ['ahead', 'behind', 'clean', 'entries'] }, { required: ['error'] }],
  });
});
