import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';

const script = join(import.meta.dirname, '../..', 'scripts', 'one-home.ts');

function check(...args: string[]): { exitCode: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { exitCode: status, stderr };
}

function planted(file: string, source: string): ReturnType<typeof check> {
  using scratch = scratchFolder();
  const path = join(scratch.folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source);
  return check(scratch.folder);
}

test('what crosses a wire is declared in one place of this repository', () => {
  expect(check()).toEqual({ exitCode: 0, stderr: '' });
});

test('the error names the file, the line, what it is and where it belongs', () => {
  expect(planted('apps/web/src/a.ts', "\nexport const path = '/api/v1/sessions';\n")).toEqual({
    exitCode: 1,
    stderr:
      'apps/web/src/a.ts:2 declares the path of a route: "/api/v1/sessions"\n  its home is packages/api/\n',
  });
});

test.each([
  [
    'a path in a template',
    'packages/client/src/a.ts',
    `export const at = (id: string) => \`/my/projects/\${id}/tools\`;`,
  ],
  ['a short path', 'apps/server/src/a.ts', `export const at = (id: string) => \`/tools/\${id}/approve\`;`],
  ['a registered route', 'apps/server/src/http/routes/a.ts', "app.get('/anything', () => 1);"],
  ['a schema of a route', 'apps/server/src/http/routes/a.ts', "import * as z from 'zod/mini';"],
  ['a schema of an answer', 'apps/web/src/api/a.ts', "import * as z from 'zod/mini';"],
  ['a message of the socket', 'apps/server/src/a.ts', "send({ type: 'assistant_message', token: 'x' });"],
  [
    'a schema of a message',
    'apps/web/src/a.ts',
    "export const A = z.object({ type: z.literal('agent_switched') });",
  ],
  ['a type of a message', 'packages/client/src/a.ts', "export type A = { type: 'message_chunk' };"],
  ['a field that is written', 'packages/client/src/a.ts', 'send({ decision, modified_arguments: args });'],
  [
    'a field that is declared',
    'packages/client/src/tools/a.ts',
    'export type A = { tool_type?: string; execution_context: unknown };',
  ],
])('it finds %s', (_, file, source) => {
  expect(planted(file, source)).toEqual({
    exitCode: 1,
    stderr: expect.stringContaining(`${file}:1 declares`),
  });
});

test.each([
  ['the table itself', 'packages/api/src/a.ts', "export const path = '/api/v1/sessions';"],
  [
    'whoever waits for a message, or reads a field',
    'packages/client/src/a.ts',
    "stream.on('tool.execution_signal', ({ tool_type }) => run(tool_type));\nif (frame.type === 'tool_call') take(frame);",
  ],
  ['a dialect', 'packages/dialects/src/a.ts', "export const a = { type: 'assistant_message', token: 'x' };"],
  ['a comment', 'apps/web/src/a.ts', '// GET /api/v1/sessions\nexport const a = 1;'],
  ['a test', 'apps/web/src/a.test.ts', "fetch('/api/v1/sessions');"],
  ['a map that is asked', 'apps/server/src/a.ts', "export const a = new Map([['/x', 1]]).get('x');"],
  [
    'a type of a schema',
    'apps/server/src/http/a.ts',
    "import type * as z from 'zod/mini';\nexport type A = z.ZodMiniType;",
  ],
])('it leaves alone %s', (_, file, source) => {
  expect(planted(file, source)).toEqual({ exitCode: 0, stderr: '' });
});
