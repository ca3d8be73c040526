// Seed 000: the paths, sizes and encodings that are taken, and the codes of what is refused.
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answerTo, ask, codeOf, withCallId } from '../exchange.ts';
import type { Json, SeedCase } from '../seed-case.ts';

const MiB = 1024 * 1024;
const read = (path: string): Json => ({ tool_name: 'read_file', args: { path } });
const write = (path: string, content: string): Json => ({ tool_name: 'write_file', args: { path, content } });

export const limits000: readonly SeedCase[] = [
  {
    id: 'read_file: 1 MB',
    item: 'Files up to 1 MB, then `FILE_TOO_LARGE`',
    on: ['tool', 'socket'],
    async play(at) {
      at.stage.lay({ 'a.txt': 'a'.repeat(MiB), 'b.txt': 'b'.repeat(MiB + 1) });
      expect(await answerTo(at, read('a.txt'))).toMatchObject({
        result: { content: expect.stringMatching(/^a{1048576}$/) },
      });
      expect(await answerTo(at, read('b.txt'))).toMatchObject({
        error: { code: 'FILE_TOO_LARGE', details: { max_size: MiB } },
      });
    },
  },
  {
    id: 'encoding',
    item: 'UTF-8 only, no binary files: `ENCODING_ERROR`',
    on: ['tool', 'socket'],
    async play(at) {
      const texts = [
        ['latin1', 'caf\xe9', 'latin1'],
        ['utf16', 'text', 'utf16le'],
        ['binary', 'a\0b', 'latin1'],
      ] as const;
      for (const [name, text, encoding] of texts)
        writeFileSync(join(at.stage.root, name), Buffer.from(text, encoding));
      for (const [name] of texts) expect(codeOf(await answerTo(at, read(name)))).toBe('ENCODING_ERROR');
      writeFileSync(join(at.stage.root, 'имя.txt'), 'текст\r\n');
      expect(await answerTo(at, read('имя.txt'))).toMatchObject({ result: { content: 'текст\r\n' } });
    },
  },
  {
    id: 'paths: ..',
    item: 'No path leads out of the workspace: `..`, links, NUL, empty',
    on: ['tool', 'socket'],
    async play(at) {
      const { root, aside } = at.stage;
      writeFileSync(join(aside, 'secret.txt'), 'secret');
      symlinkSync(aside, join(root, 'out'));
      writeFileSync(join(root, 'in.txt'), 'inside');
      symlinkSync('in.txt', join(root, 'link.txt'));
      const refused = {
        '../aside/secret.txt': 'PATH_OUTSIDE_WORKSPACE',
        'sub/../../aside/secret.txt': 'PATH_OUTSIDE_WORKSPACE',
        'out/secret.txt': 'PATH_OUTSIDE_WORKSPACE',
        [join(aside, 'secret.txt')]: 'PATH_OUTSIDE_WORKSPACE',
        'a\0b': 'INVALID_PATH',
        '': 'INVALID_PATH',
      };
      for (const [path, code] of Object.entries(refused)) {
        expect([path, codeOf(await answerTo(at, read(path)))]).toEqual([path, code]);
        expect([path, codeOf(await answerTo(at, write(path, 'x')))]).toEqual([path, code]);
      }
      expect(await answerTo(at, read('link.txt'))).toMatchObject({ result: { content: 'inside' } });
    },
  },
  {
    id: 'paths: relative',
    item: 'Only relative paths',
    on: ['tool', 'socket'],
    differs: 'an absolute path that lies inside the workspace is taken too, after the same checks',
    async play(at) {
      at.stage.lay({ 'a.txt': 'text' });
      expect(await answerTo(at, read(join(at.stage.root, 'a.txt')))).toMatchObject({
        result: { content: 'text' },
      });
    },
  },
  {
    id: 'paths: 255',
    item: 'A path has at most 255 characters',
    on: ['tool', 'socket'],
    async play(at) {
      const path = `${'папка/'.repeat(41)}абв.txtzz`;
      expect([...path]).toHaveLength(255);
      expect(await answerTo(at, write(path, 'x'))).toMatchObject({ result: { success: true } });
      expect(codeOf(await answerTo(at, write(`a${path}`, 'x')))).toBe('INVALID_PATH');
    },
  },
  {
    id: 'write_file: 1 MB',
    item: 'At most 1 MB, counted in bytes',
    on: ['socket'],
    async play(at) {
      expect(codeOf(await answerTo(at, write('a.txt', 'я'.repeat(MiB / 2 + 1))))).toBe('FILE_TOO_LARGE');
      expect(existsSync(join(at.stage.root, 'a.txt'))).toBe(false);
      expect(await answerTo(at, write('a.txt', 'я'.repeat(MiB / 2)))).toMatchObject({
        result: { bytes_written: MiB },
      });
    },
  },
  {
    id: 'WebSocket 10 MB',
    item: 'A message has at most 10 MB; the socket stays open',
    on: ['socket'],
    async play({ stage }) {
      stage.lay({ 'a.txt': 'text' });
      const client = await stage.socket('codelab');
      client.send(
        withCallId({ tool_name: 'write_file', args: { path: 'b.txt', content: 'x'.repeat(10.5e6) } }),
      );
      expect(await client.next(['error', 'tool_result'])).toMatchObject({});
      expect(
        await ask(client, withCallId({ tool_name: 'read_file', args: { path: 'a.txt' } }, 'c2')),
      ).toMatchObject({
        result: { content: 'text' },
      });
      await client.close();
      expect(existsSync(join(stage.root, 'b.txt'))).toBe(false);
    },
  },
  {
    id: 'user_message 10,000',
    item: 'A user message has at most 10,000 characters',
    on: ['socket'],
    async play({ stage }) {
      stage.says([{ text: 'Read.' }]);
      const client = await stage.socket('codelab');
      client.send({ type: 'user_message', content: '🙂'.repeat(10_001) });
      await client.next('error');
      client.send({ type: 'user_message', content: '🙂'.repeat(10_000) });
      await client.next('done');
      await client.close();
    },
  },
  {
    id: 'error codes',
    item: '`TOOL_NOT_FOUND`, `INVALID_ARGUMENTS`, `PERMISSION_DENIED`, under the id of the call',
    on: ['tool', 'socket'],
    async play(at) {
      const unknown = { tool_name: 'format_disk', call_id: 'call_9', args: {} };
      expect(await answerTo(at, unknown)).toMatchObject({
        call_id: 'call_9',
        error: { code: 'TOOL_NOT_FOUND' },
      });
      const wrong = { tool_name: 'read_file', call_id: 'call_8', args: { path: 'a', paht: 'b' } };
      expect(await answerTo(at, wrong)).toMatchObject({
        call_id: 'call_8',
        error: { code: 'INVALID_ARGUMENTS', message: expect.stringContaining('paht') },
      });
      // The system's own files are nobody's, also where the tests run as root.
      const denied = { tool_name: 'write_file', args: { path: '.git/config', content: 'x' } };
      expect(codeOf(await answerTo(at, denied))).toBe('PERMISSION_DENIED');
    },
  },
  {
    id: 'PERMISSION_DENIED',
    item: 'A file that the user may not read',
    on: ['tool'],
    async play(at) {
      writeFileSync(join(at.stage.root, 'a.txt'), 'secret');
      chmodSync(join(at.stage.root, 'a.txt'), 0);
      const answer = await answerTo(at, { tool_name: 'read_file', args: { path: 'a.txt' } });
      // Root reads it all the same.
      if (process.getuid?.() === 0) expect(answer).toMatchObject({ result: { content: 'secret' } });
      else expect(codeOf(answer)).toBe('PERMISSION_DENIED');
    },
  },
  {
    id: 'refusals',
    item: 'A call that is refused is answered under its own id in every dialect, and the command ends with 1',
    on: ['tool'],
    async play({ stage }) {
      const wrong = { paht: 'a' };
      const signal = { type: 'tool.execution_signal', tool_type: 'read_file' };
      const calls: [dialect: string, tool: string, call: Json, key: string][] = [
        ['codelab', 'read_file', { ...withCallId({ tool_name: 'read_file', args: wrong }, 'm1') }, 'call_id'],
        [
          'agent',
          'read_file',
          { ...withCallId({ tool_name: 'read_file', arguments: wrong }, 'm1') },
          'call_id',
        ],
        ['plugin', 'read_file', { ...signal, tool_id: 'm1', args: wrong }, 'tool_id'],
        ['kode', 'View', { type: 'tool_use', id: 'm1', tool: 'View', input: wrong }, 'tool_use_id'],
      ];
      for (const [dialect, tool, call, key] of calls) {
        const { code, message } = await stage.codelab([
          'tool',
          tool,
          JSON.stringify(call),
          '--dialect',
          dialect,
        ]);
        expect([dialect, code, message[key]]).toEqual([dialect, 1, 'm1']);
      }
    },
  },
  {
    id: 'versions',
    item: 'The tool set has a version, which can be asked for',
    on: ['tool', 'rest'],
    async play({ stage, wire }) {
      const catalogue =
        wire === 'tool'
          ? (await stage.codelab(['tools', '--json'])).message
          : ((await (await stage.gateway.request('/api/v1/tools')).json()) as Json);
      expect(catalogue.version).toMatch(/^\d+\.\d+/);
    },
  },
];
