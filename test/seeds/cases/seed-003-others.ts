// Seed 003: todos, skills, sub-agents, the registry, and how errors are told.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, patch } from '../coder.ts';
import type { Json, SeedCase } from '../seed-case.ts';

const todo = (id: string, status: string, priority = 'low'): Json => ({
  id,
  content: `Do ${id}`,
  status,
  priority,
});
const skill =
  '---\nname: release\ndescription: How a release is made.\n---\n\n1. Run the tests.\n2. Tag it.\n';

const python = 'def one():\n    """Says one."""\n\nprint(one(), nothing)\n';

export const others003: readonly SeedCase[] = [
  {
    id: 'todowrite, todoread',
    item: 'The whole list is replaced and read again; at most one is `in_progress`',
    on: ['tool'],
    async play(at) {
      const session = `todo-${Date.now()}`;
      const list = [todo('1', 'completed', 'high'), todo('2', 'in_progress', 'medium'), todo('3', 'pending')];
      const expected = { ok: true, session_id: session, items: list, count: 3, in_progress: 1 };
      expect(await call(at, 'todowrite', { todos: list }, ['--session', session])).toEqual(expected);
      expect(await call(at, 'todoread', {}, ['--session', session])).toEqual(expected);
      const two = { todos: [todo('1', 'in_progress'), todo('2', 'in_progress')] };
      expect(await call(at, 'todowrite', two, ['--session', session])).toMatchObject({
        ok: false,
        error: expect.stringMatching(/^args:/),
      });
      expect(await call(at, 'todoread', {}, ['--session', session])).toEqual(expected);
    },
  },
  {
    id: 'skill: list',
    item: 'The skills that can be seen',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ '.codelab/skills/release/SKILL.md': skill });
      expect(await call(at, 'skill', { action: 'list' }, ['--approve', 'never'])).toMatchObject({
        ok: true,
        items: [{ name: 'release' }],
      });
    },
  },
  {
    id: 'skill: load',
    item: 'The text of `SKILL.md`, whole',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ '.codelab/skills/release/SKILL.md': skill });
      expect(await call(at, 'skill', { action: 'load', name: 'release' })).toMatchObject({
        ok: true,
        content: skill,
      });
    },
  },
  {
    id: 'skill: approval',
    item: 'An explicit load is asked about, and a rule that denies it stands',
    on: ['tool'],
    async play(at) {
      const rules = [{ id: 'no-skills', effect: 'deny', reason: 'Not here.', tool: 'skill' }];
      at.stage.lay({ '.codelab/skills/release/SKILL.md': skill });
      const load = (approve: string): Promise<Json> =>
        call(at, 'skill', { action: 'load', name: 'release' }, ['--approve', approve]);
      expect(await load('never')).toMatchObject({ ok: false, denied: true });
      writeFileSync(join(at.stage.root, '.codelab/config.json'), JSON.stringify({ policy: { rules } }));
      expect(await load('all')).toMatchObject({ ok: false, denied: true });
    },
  },
  {
    id: 'task',
    item: 'A sub-agent works on the objective; `ok`, `agent`, `summary` and no more',
    on: ['socket'],
    async play({ stage }) {
      const objective = { agent: 'explore', objective: 'What is this?' };
      stage.says([{ calls: [['task', objective]] }, { text: 'It is a shop.' }, { text: 'A shop.' }]);
      const client = await stage.socket('codelab');
      client.send({ type: 'user_message', content: 'What is this?' });
      const result = await client.next('tool_result', ({ seq }) => seq !== undefined);
      expect(result.result).toEqual({ ok: true, agent: 'explore', summary: 'It is a shop.' });
      await client.next('done');
      await client.close();
    },
  },
  {
    id: 'registry',
    item: 'Only the tools of the role are offered, and a hidden one is not executed',
    on: ['tool'],
    async play(at) {
      const answer = await call(at, 'write', { path: 'a.txt', content: '' }, ['--profile', 'ask']);
      expect(answer).toMatchObject({ ok: false });
      expect(existsSync(join(at.stage.root, 'a.txt'))).toBe(false);
      const { stdout } = (await at.stage.codelab(['tools', '--dialect', 'coder', '--profile', 'ask']))
        .message as {
        stdout?: string;
      };
      expect(stdout).toMatch(/^read\b/m);
      expect(stdout).not.toMatch(/^write\b/m);
    },
  },
  {
    id: 'errors',
    item: '`unknown tool`, readable `args` errors, context that does not match, in the names of the call',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\n' });
      const errorOf = async (name: string, args: Json): Promise<unknown> =>
        (await call(at, name, args)).error;
      expect(await errorOf('format_disk', {})).toMatch(/^unknown tool/);
      expect(await errorOf('bash', { command: '' })).toMatch(/^args: (?!.*run_command)/);
      expect(await errorOf('todoread', { x: 1 })).toMatch(/^args: (?!.*takes: \.)/);
      expect(await errorOf('patch', { patch: patch('two') })).toMatch(/a\.txt.*expected/s);
    },
  },
  {
    id: 'mcp_proxy',
    item: 'There is none',
    on: ['tool'],
    async play(at) {
      expect(await call(at, 'mcp_proxy', {})).toMatchObject({
        error: expect.stringMatching(/^unknown tool/),
      });
    },
  },
  {
    id: 'lsp_diagnostics',
    item: '`diagnostics`, `count` and `server_status`; a file without a server says `ok` false',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.py': python, 'a.xyz': '' });
      expect(await call(at, 'lsp_diagnostics', { path: 'a.py' })).toMatchObject({
        ok: true,
        count: expect.any(Number),
        server_status: 'active',
        diagnostics: expect.arrayContaining([
          expect.objectContaining({ severity: 'error', message: "undefined name 'nothing'" }),
        ]),
      });
      expect(await call(at, 'lsp_diagnostics', { path: 'a.xyz' })).toMatchObject({
        ok: false,
        server_status: 'unsupported',
        fallback: expect.stringContaining('grep'),
      });
    },
  },
  {
    id: 'lsp_definition',
    item: '`location` with `uri` and `range`, counted from 0',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.py': python });
      expect(await call(at, 'lsp_definition', { path: 'a.py', line: 3, character: 6 })).toMatchObject({
        ok: true,
        server_status: 'active',
        location: {
          uri: expect.stringMatching(/^file:\/\/.*\/a\.py$/),
          range: { start: { line: 0, character: 4 }, end: { line: 0, character: 7 } },
        },
      });
    },
  },
  {
    id: 'lsp_hover',
    item: '`contents`: type and documentation of the symbol',
    on: ['tool'],
    async play(at) {
      at.stage.lay({ 'a.py': python });
      expect(await call(at, 'lsp_hover', { path: 'a.py', line: 3, character: 6 })).toMatchObject({
        ok: true,
        server_status: 'active',
        contents: expect.stringContaining('Says one.'),
      });
    },
  },
];
