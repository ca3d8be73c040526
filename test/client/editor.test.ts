// A client that is an editor: a host of its own without a log on the disk, and files that go through the texts it holds.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CommandExecutor,
  type EditorFiles,
  FileSystemExecutor,
  openLocalHost,
  proposeChange,
  throughEditor,
  undoCall,
} from '@codelab/client/node';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';

const approve = () => Promise.resolve({ kind: 'approve' as const });

/** An editor that holds texts, some of them not saved, and writes files when it edits a saved one. */
async function editorHost(files: Record<string, string>) {
  const scratch = scratchFolder({ files });
  const unsaved = new Map<string, string>();
  const edits: unknown[] = [];
  const editor: EditorFiles = {
    unsaved: (file) => unsaved.get(file),
    async write({ file, before, after }) {
      if (before?.includes('\r') === true) return undefined;
      edits.push({ before, after });
      if (unsaved.has(file)) unsaved.set(file, after);
      else writeFileSync(file, after);
      return after;
    },
  };
  const home = join(scratch.home, 'client');
  const host = await openLocalHost({ root: scratch.root, home, decorate: throughEditor(editor) });
  const options = { host, session: 'editor', decide: approve };
  return {
    ...{ host, editor, edits, unsaved, root: scratch.root },
    files: new FileSystemExecutor(options),
    commands: new CommandExecutor(options),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      scratch[Symbol.dispose]();
    },
  };
}

test('what is not saved is read and edited there; the disk keeps what it has', async () => {
  await using bench = await editorHost({ 'a.txt': 'saved\n' });
  const file = join(bench.root, 'a.txt');
  expect(await bench.files.executeReadFile('a.txt')).toMatchObject({ status: 'success', output: 'saved\n' });
  bench.unsaved.set(file, 'not saved\n');
  expect(await bench.files.executeReadFile('a.txt')).toMatchObject({ output: 'not saved\n' });
  expect(await bench.files.executeWriteFile('a.txt', 'edited\n')).toMatchObject({ status: 'success' });
  expect(bench.edits).toEqual([{ before: 'not saved\n', after: 'edited\n' }]);
  expect([bench.unsaved.get(file), readFileSync(file, 'utf8')]).toEqual(['edited\n', 'saved\n']);
});

test('a text that was changed since it was read is STALE, until it is read again', async () => {
  await using bench = await editorHost({ 'a.txt': 'saved\n' });
  const file = join(bench.root, 'a.txt');
  bench.unsaved.set(file, 'one\n');
  await bench.files.executeReadFile('a.txt');
  bench.unsaved.set(file, 'two\n');
  const refused = await bench.files.executeWriteFile('a.txt', 'x\n');
  expect([refused.status, refused.error?.code]).toEqual(['error', 'STALE']);
  expect(bench.edits).toEqual([]);
  await bench.files.executeReadFile('a.txt');
  expect((await bench.files.executeWriteFile('a.txt', 'x\n')).status).toBe('success');
});

test('saved files are written one after the other, created, and where the editor can’t, on the disk', async () => {
  await using bench = await editorHost({ 'a.txt': 'saved\n', 'mixed.txt': 'a\r\nb\n' });
  await bench.files.executeReadFile('a.txt');
  for (const text of ['one\n', 'two\n'])
    expect((await bench.files.executeWriteFile('a.txt', text)).status).toBe('success');
  expect((await bench.files.executeWriteFile('new.txt', 'n\n')).status).toBe('success');
  expect((await bench.files.executeWriteFile('mixed.txt', 'c\r\nd\n')).status).toBe('success');
  expect(readFileSync(join(bench.root, 'mixed.txt'), 'utf8')).toBe('c\r\nd\n');
  expect(bench.edits).toEqual([
    { before: 'saved\n', after: 'one\n' },
    { before: 'one\n', after: 'two\n' },
    { before: null, after: 'n\n' },
  ]);
});

test('a proposal is against the text of the editor, and no path leads out', async () => {
  await using bench = await editorHost({ 'a.txt': 'one\ntwo\n' });
  bench.unsaved.set(join(bench.root, 'a.txt'), 'ONE\ntwo\n');
  const change = await proposeChange(bench, { path: 'a.txt', content: 'ONE\nTWO\n' });
  expect(change).toMatchObject({ path: 'a.txt', before: 'ONE\ntwo\n', after: 'ONE\nTWO\n' });
  expect(change.hunks.map(({ lines }) => lines)).toEqual([[' ONE', '-two', '+TWO']]);
  await expect(proposeChange(bench, { path: '../x', content: '' })).rejects.toThrow();
  expect((await proposeChange(bench, { path: 'new.txt', content: 'x' })).before).toBeNull();
});

test('a command of the list runs in the folder, and what it did is taken back', async () => {
  await using bench = await editorHost({ 'a.txt': 'one\n' });
  const touched = await bench.commands.execute('execute_command', { command: 'touch', args: ['made.txt'] });
  expect([touched.status, existsSync(join(bench.root, 'made.txt'))]).toEqual(['success', true]);
  const [last] = (await bench.host.log.read('editor')).flatMap(({ body }) =>
    body.type === 'call.finished' ? [body.callId] : [],
  );
  expect(await undoCall(bench.host, { session: 'editor', callId: last ?? '' })).toBe(true);
  expect(existsSync(join(bench.root, 'made.txt'))).toBe(false);
  expect(await undoCall(bench.host, { session: 'editor', callId: 'unknown' })).toBe(false);
});
