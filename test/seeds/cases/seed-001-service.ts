// Seed 001: the envelope, notebooks, and the service that streams them.
import { join } from 'node:path';
import { expect } from 'vitest';
import { chat, use, uuid } from '../kode.ts';
import type { Json, SeedCase } from '../seed-case.ts';

const notebook = (cells: number): string =>
  JSON.stringify({
    cells: Array.from({ length: cells }, () => ({
      cell_type: 'code',
      source: ['x = 1'],
      metadata: {},
      execution_count: null,
      outputs: [],
    })),
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 4,
  });

function notebookCase(id: string, example: string, extra: Json = {}): SeedCase {
  return {
    id: `NotebookEditCell: ${id}`,
    item: 'The data word for word, in the envelope',
    on: ['tool', 'service'],
    examples: [example],
    async play(at, message = {}) {
      at.stage.lay({ 'n.ipynb': notebook(8) });
      const { cell_number, new_source, edit_mode } = message.data as Json;
      const input = {
        notebook_path: join(at.stage.root, 'n.ipynb'),
        cell_number,
        new_source,
        edit_mode,
        ...extra,
      };
      const { answer } = await use(at, 'NotebookEditCell', input, String(message.tool_use_id));
      expect(answer).toMatchObject({ ...message, uuid });
      expect(JSON.parse(at.stage.text('n.ipynb'))).toMatchObject({ nbformat: 4 });
    },
  };
}

export const service001: readonly SeedCase[] = [
  {
    id: 'envelope',
    item: '`type`, `tool_name`, `tool_use_id`, a new `uuid`, `data`',
    on: ['tool', 'service', 'run'],
    examples: ['9'],
    async play(at, envelope = {}) {
      at.stage.lay({ 'a.txt': 'text' });
      const [first, second] = [
        await use(at, 'View', { file_path: join(at.stage.root, 'a.txt') }),
        await use(at, 'View', { file_path: join(at.stage.root, 'a.txt') }, 'toolu_02'),
      ];
      expect(Object.keys(first.answer)).toEqual(expect.arrayContaining(Object.keys(envelope)));
      expect(first.answer).toMatchObject({
        type: 'backend_only',
        tool_name: 'View',
        tool_use_id: 'toolu_01',
        uuid,
      });
      expect(first.answer.uuid).not.toBe(second.answer.uuid);
    },
  },
  {
    id: 'service: names',
    item: "What the service refuses is told in Kode's names",
    on: ['service'],
    async play(at) {
      const { all } = await chat(at.stage, {
        tool: 'Replace',
        input: { file_path: 'a.py', content: '' },
        id: 't',
        mode: 'ask',
      });
      const resultText = JSON.stringify(all.filter(({ type }) => type === 'tool_result'));
      expect(resultText).toContain('Replace');
      expect(resultText).not.toContain('write_file');
    },
  },
  {
    id: 'service: raw data',
    item: 'In service mode every tool gives its raw data between `tool_use` and `tool_result`',
    on: ['service'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'text' });
      const { all } = await use(at, 'View', { file_path: join(at.stage.root, 'a.txt') });
      const order = all.map(({ type }) => type).filter((type) => type !== 'heartbeat');
      expect(order).toEqual(['start', 'tool_use', 'backend_only', 'tool_result', 'text', 'done']);
    },
  },
  {
    id: 'service: workingDir',
    item: 'A command runs in `context.workingDir`; a folder that is not there is an error',
    on: ['service'],
    async play(at) {
      at.stage.lay({ 'sub/a.txt': '' });
      const request = { tool: 'Bash', input: { command: 'ls', description: 'Lists the files' }, id: 't' };
      const { answer } = await chat(at.stage, { ...request, workingDir: 'sub' });
      expect(answer.data).toMatchObject({ stdout: expect.stringMatching(/^a\.txt\n?$/) });
      const { all } = await chat(at.stage, { ...request, workingDir: 'nowhere' });
      expect(JSON.stringify(all)).toContain('nowhere');
      expect(all.some(({ type }) => type === 'backend_only')).toBe(false);
    },
  },
  notebookCase('replace', '252', { cell_type: 'code' }),
  notebookCase('insert', '269', { cell_type: 'markdown' }),
  notebookCase('delete', '286'),
  notebookCase('failure', '303'),
];
