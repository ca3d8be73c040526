// Seed 000: reading, writing, finding and arranging files.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answerTo, codeOf, withCallId } from '../exchange.ts';
import type { Json, SeedCase } from '../seed-case.ts';

const read = (path: string): Json => ({ tool_name: 'read_file', args: { path } });
const write = (path: string, content: string): Json => ({ tool_name: 'write_file', args: { path, content } });

export const files000: readonly SeedCase[] = [
  {
    id: 'read_file',
    item: 'The request, and the response word for word',
    on: ['tool', 'socket', 'executor'],
    examples: ['24', '36'],
    async play(at, call = {}, result = {}) {
      at.stage.lay({ 'src/auth.js': '// File content here...' });
      expect(await answerTo(at, call, { executed: result })).toEqual(result);
    },
  },
  {
    id: 'read_file: error',
    item: 'A missing file is `FILE_NOT_FOUND`, message word for word',
    on: ['tool', 'socket', 'executor'],
    examples: ['24', '48'],
    async play(at, call = {}, result = {}) {
      expect(await answerTo(at, call, { executed: result })).toEqual(result);
    },
  },
  {
    id: 'write_file',
    item: 'The request; folders are made, the text is written',
    on: ['tool', 'socket', 'executor'],
    examples: ['74', '87'],
    differs: '`bytes_written` is 45, the bytes of that text; the 48 of the example is a slip',
    async play(at, call = {}, result = {}) {
      const answer = await answerTo(at, call, { executed: result });
      const expectedBytes = at.wire === 'executor' ? 48 : 45;
      expect(answer).toEqual({ ...result, result: { success: true, bytes_written: expectedBytes } });
      if (at.wire !== 'executor')
        expect(at.stage.text('src/logger.js')).toBe('export const log = (msg) => console.log(msg);');
    },
  },
  {
    id: 'write_file: overwrites',
    item: 'An existing file becomes the text that was given, line endings too',
    on: ['tool', 'socket'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'one\r\ntwo\r\n' });
      expect(await answerTo(at, write('a.txt', 'one\ntwo\n'))).toMatchObject({
        result: { bytes_written: 8 },
      });
      expect(at.stage.text('a.txt')).toBe('one\ntwo\n');
    },
  },
  {
    id: 'requires_approval',
    item: '`true` asks a human, also for a read; `false` takes away no question',
    on: ['socket'],
    async play({ stage }) {
      stage.lay({ 'a.txt': 'text' });
      const client = await stage.socket('codelab');
      client.send({ ...withCallId(read('a.txt'), 'c1'), requires_approval: true });
      expect(await client.next('tool_call')).toMatchObject({ call_id: 'c1', requires_approval: true });
      client.send({ ...withCallId(write('b.txt', 'x'), 'c2'), requires_approval: false });
      expect(await client.next('tool_call')).toMatchObject({ call_id: 'c2', requires_approval: true });
      expect(existsSync(join(stage.root, 'b.txt'))).toBe(false);
      await client.close();
    },
  },
  {
    id: 'Example 1',
    item: 'Read, then write with `requires_approval: true`',
    on: ['socket', 'executor'],
    examples: ['507.1', '507.2', '507.3'],
    async play(at, first = {}, content = {}, second = {}) {
      at.stage.lay({ 'src/config.js': 'const config = {...}' });
      // The example leaves out `encoding`, which the response above it has.
      expect(await answerTo(at, first, { executed: content })).toMatchObject(content);
      const expected = { result: { success: true, bytes_written: 30 } };
      expect(await answerTo(at, second, { executed: expected })).toMatchObject(expected);
      if (at.wire === 'socket') expect(at.stage.text('src/config.js')).toBe('const config = {...updated...}');
    },
  },
  {
    id: 'list_files',
    item: 'The request: the tree below a folder, by a pattern',
    on: ['tool', 'socket', 'executor'],
    examples: ['281'],
    async play(at, call = {}) {
      at.stage.lay({ 'src/a.dart': 'a', 'src/lib/b.dart': 'bb', 'src/c.js': '', 'd.dart': '' });
      const files = [
        { name: 'a.dart', path: 'src/a.dart', type: 'file', size: 1 },
        { name: 'b.dart', path: 'src/lib/b.dart', type: 'file', size: 2 },
      ];
      const result = { path: 'src', files, total: 2, truncated: false };
      expect(await answerTo(at, call, { executed: { result } })).toMatchObject({ result });
    },
  },
  {
    id: 'search_in_project',
    item: 'The request: a text in files, in any case',
    on: ['tool', 'socket', 'executor'],
    examples: ['296'],
    async play(at, call = {}) {
      at.stage.lay({ 'src/a.js': '// Authenticate\n', 'b.js': 'authenticate' });
      const matches = [{ file: 'src/a.js', line: 1, column: 4, text: '// Authenticate' }];
      const result = { query: 'authenticate', matches, total: 1, truncated: false };
      expect(await answerTo(at, call, { executed: { result } })).toMatchObject({ result });
    },
  },
  {
    id: 'create_directory',
    item: 'The request: a folder is made',
    on: ['tool', 'socket', 'executor'],
    examples: ['311'],
    async play(at, call = {}) {
      const result = { path: 'src/utils', created: true };
      expect(await answerTo(at, call, { executed: { result } })).toMatchObject({ result });
      if (at.wire !== 'executor') expect(existsSync(join(at.stage.root, 'src/utils'))).toBe(true);
    },
  },
  {
    id: 'delete_file',
    item: 'The request: a file is deleted, and kept in the trash',
    on: ['tool', 'socket', 'executor'],
    examples: ['324'],
    async play(at, call = {}) {
      at.stage.lay({ 'src/old_file.js': 'old' });
      const result = { path: 'src/old_file.js', deleted: true };
      expect(await answerTo(at, call, { executed: { result } })).toMatchObject({ result });
      if (at.wire !== 'executor') expect(existsSync(join(at.stage.root, 'src/old_file.js'))).toBe(false);
    },
  },
  {
    id: 'delete_file: directory',
    item: 'The request deletes a folder as well',
    on: ['tool', 'socket'],
    differs: 'a folder that is not empty needs `recursive: true`, and the workspace itself is never deleted',
    async play(at) {
      const deletion = (path: string, extra: Json = {}): Json => ({
        tool_name: 'delete_file',
        args: { path, ...extra },
      });
      mkdirSync(join(at.stage.root, 'empty'));
      expect(await answerTo(at, deletion('empty'))).toMatchObject({ result: { deleted: true } });
      at.stage.lay({ 'full/a.txt': '' });
      expect(codeOf(await answerTo(at, deletion('full')))).toBe('NOT_REGULAR_FILE');
      expect(await answerTo(at, deletion('full', { recursive: true }))).toMatchObject({
        result: { deleted: true },
      });
      expect(codeOf(await answerTo(at, deletion('.', { recursive: true })))).toBe('INVALID_PATH');
    },
  },
  {
    id: 'move_file',
    item: 'The request: `from` and `to`',
    on: ['tool', 'socket', 'executor'],
    examples: ['337'],
    async play(at, call = {}) {
      at.stage.lay({ 'src/old.js': 'text' });
      const result = { from: 'src/old.js', to: 'src/new.js', moved: true };
      expect(await answerTo(at, call, { executed: { result } })).toMatchObject({ result });
      if (at.wire !== 'executor') expect(at.stage.text('src/new.js')).toBe('text');
    },
  },
];
