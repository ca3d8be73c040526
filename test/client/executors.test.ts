// Seed 002's executors over real files and programs: their result shapes, and what they refuse.
import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandExecutor, FileSystemExecutor, PathValidator } from '@codelab/client/node';
import { expect, test } from 'vitest';
import { type Workbench, workbench } from '../support/workbench.ts';

const approve = () => Promise.resolve({ kind: 'approve' as const });
const filesOf = ({ host }: Workbench) => new FileSystemExecutor({ host, session: 'editor', decide: approve });
const commandsOf = ({ host }: Workbench) => new CommandExecutor({ host, session: 'editor', decide: approve });
const MiB = 1024 * 1024;

test('files are read, written and listed in the spec’s shapes, and what was written can be taken back', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'hello\n', 'src/b.ts': '' } });
  const files = filesOf(bench);
  expect(await files.executeReadFile('a.txt')).toMatchObject({
    tool_type: 'read_file',
    status: 'success',
    output: 'hello\n',
    metadata: { size_bytes: 6, encoding: 'utf-8' },
    duration_ms: expect.any(Number),
    timestamp: expect.any(String),
  });
  expect(await files.executeWriteFile('new.txt', 'two\n')).toMatchObject({
    status: 'success',
    output: { path: 'new.txt', size_bytes: 4 },
    metadata: { created: true, size_bytes: 4 },
  });
  expect(await files.executeListDirectory('.')).toMatchObject({
    output: {
      entries: [
        { name: 'a.txt', type: 'file' },
        { name: 'new.txt', type: 'file' },
        { name: 'src', type: 'directory' },
      ],
      total_count: 3,
    },
  });
  bench.human(() => ({ kind: 'approve' }), 'editor');
  await bench.call('undo', {}, { session: 'editor' });
  expect(existsSync(join(bench.root, 'new.txt'))).toBe(false);
});

test('without anybody to ask, what needs a yes is not done', async () => {
  await using bench = await workbench();
  const files = new FileSystemExecutor({ host: bench.host, session: 'editor' });
  expect(await files.executeWriteFile('x', '')).toMatchObject({
    status: 'error',
    error: { code: 'APPROVAL_EXPIRED' },
  });
  expect(existsSync(join(bench.root, 'x'))).toBe(false);
});

test.each([
  ['../secret.txt', 'PATH_TRAVERSAL'],
  ['sub/../../secret.txt', 'PATH_TRAVERSAL'],
  ['a.txt/../../secret.txt', 'PATH_TRAVERSAL'],
  ['/etc/passwd', 'OUTSIDE_WORKSPACE'],
  ['link-out', 'SYMLINK_OUTSIDE_WORKSPACE'],
  ['folder-out/secret.txt', 'SYMLINK_OUTSIDE_WORKSPACE'],
  ['', 'EMPTY_PATH'],
  ['a\0b', 'INVALID_CHARACTERS'],
])('%j is refused as %s: by the validator, for reading, writing and listing', async (path, code) => {
  await using bench = await workbench({ files: { 'a.txt': '' } });
  writeFileSync(join(bench.folder, 'secret.txt'), 'secret');
  symlinkSync('../secret.txt', join(bench.root, 'link-out'));
  symlinkSync('..', join(bench.root, 'folder-out'));
  const files = filesOf(bench);
  const validator = new PathValidator(bench.host);
  const refused = { valid: false, error: { code } };
  expect(await validator.validatePath(path)).toMatchObject(refused);
  expect(await validator.validateWorkspaceBoundary(path)).toMatchObject(refused);
  expect(await files.validate({ path })).toMatchObject(refused);
  for (const result of [
    await files.executeReadFile(path),
    await files.executeWriteFile(path, 'stolen'),
    await files.executeListDirectory(path),
  ])
    expect([result.status, result.error?.code]).toEqual(['error', code]);
  expect(readFileSync(join(bench.folder, 'secret.txt'), 'utf8')).toBe('secret');
});

test('sizes, kinds and encodings beyond the limits have the spec’s names', async () => {
  await using bench = await workbench({ files: { 'bytes.bin': Uint8Array.of(0xff, 0xfe, 0) } });
  const big = join(bench.root, 'big');
  writeFileSync(big, '');
  truncateSync(big, 100 * MiB + 1);
  mkdirSync(join(bench.root, 'dir'));
  const files = filesOf(bench);
  const validator = new PathValidator(bench.host);
  const code = async (result: Promise<{ error?: { code: string } }>) => (await result).error?.code;
  expect(await validator.validatePath('big')).toMatchObject({ error: { code: 'FILE_SIZE_EXCEEDED' } });
  expect(await validator.checkFileSize('big', 200 * MiB)).toEqual({ valid: true });
  expect(await validator.checkFileSize('bytes.bin', 2)).toMatchObject({
    error: { code: 'FILE_SIZE_EXCEEDED' },
  });
  expect(await validator.resolvePath('dir/new')).toEqual({ valid: true, path: 'dir/new', exists: false });
  expect(await code(files.executeReadFile('big'))).toBe('FILE_SIZE_EXCEEDED');
  expect(await code(files.executeReadFile('bytes.bin'))).toBe('ENCODING_ERROR');
  expect(await code(files.executeReadFile('a.txt', 'klingon'))).toBe('ENCODING_ERROR');
  expect(await code(files.executeWriteFile('a.txt', '', { encoding: 'latin1' }))).toBe('ENCODING_ERROR');
  expect(await code(files.executeReadFile('none'))).toBe('FILE_NOT_FOUND');
  expect(await code(files.executeReadFile('dir'))).toBe('NOT_A_FILE');
  expect(await code(files.executeWriteFile('no/such/folder', ''))).toBe('PARENT_DIR_NOT_FOUND');
  expect(await code(files.executeListDirectory('big'))).toBe('NOT_A_DIRECTORY');
});

test('a file that is not UTF-8 is read in the encoding that is named', async () => {
  const wide = Buffer.from('\ufeffЖ\r\n', 'utf16le');
  await using bench = await workbench({
    files: {
      'west.txt': Uint8Array.of(0x63, 0x61, 0x66, 0xe9),
      'wide.txt': wide,
      'odd.txt': wide.subarray(1),
    },
  });
  const files = filesOf(bench);
  const read = async (path: string, encoding?: string) => {
    const { output, metadata, error } = await files.executeReadFile(path, encoding);
    return error?.code ?? [output, metadata];
  };
  expect(await read('west.txt')).toBe('ENCODING_ERROR');
  expect(await read('west.txt', 'ISO-8859-1')).toEqual(['café', { size_bytes: 4, encoding: 'latin1' }]);
  expect(await read('wide.txt', 'utf16le')).toEqual(['Ж\r\n', { size_bytes: 8, encoding: 'utf-16le' }]);
  // Content read earlier in another encoding is not mistaken for text.
  expect(await read('wide.txt')).toBe('ENCODING_ERROR');
  expect(await read('odd.txt', 'utf16le')).toBe('ENCODING_ERROR');
  expect(await read('wide.txt', 'latin1')).toBe('ENCODING_ERROR');
});

test('a link to a folder is listed as a folder, one to a file or out of the workspace as a file', async () => {
  await using bench = await workbench({ files: { 'src/a.ts': '' } });
  symlinkSync('src', join(bench.root, 'folder'));
  symlinkSync('src/a.ts', join(bench.root, 'file'));
  symlinkSync('..', join(bench.root, 'out'));
  const { output } = await filesOf(bench).executeListDirectory('./src/..');
  const { entries } = output as { entries: { name: string; type: string }[] };
  expect(entries.map(({ name, type }) => [name, type])).toEqual([
    ['file', 'file'],
    ['folder', 'directory'],
    ['out', 'file'],
    ['src', 'directory'],
  ]);
});

test('a program of the list runs without a shell; what is forbidden or unknown does not', async () => {
  await using bench = await workbench({ files: { 'a b.txt': 'x\n' } });
  const commands = commandsOf(bench);
  expect(await commands.executeCommand('cat', ['a b.txt'])).toMatchObject({
    status: 'success',
    output: 'x\n',
    exitCode: 0,
  });
  const literal = await commands.executeCommand('ls', ['$(touch pwned)', '; touch pwned']);
  expect(literal).toMatchObject({
    status: 'error',
    error: { message: expect.stringContaining('$(touch pwned)') },
  });
  expect(existsSync(join(bench.root, 'pwned'))).toBe(false);
  expect(await commands.executeCommand('cat', ['none'])).toMatchObject({
    status: 'error',
    exitCode: 1,
    error: { code: 'EXECUTION_FAILED' },
  });
  const forbidden: [string, string[], string][] = [
    ['sudo', ['ls'], 'COMMAND_BLACKLISTED'],
    ['curl', ['http://127.0.0.1'], 'COMMAND_BLACKLISTED'],
    ['bash', ['-c', 'id'], 'COMMAND_BLACKLISTED'],
    ['eval', ['id'], 'COMMAND_BLACKLISTED'],
    ['rm', ['-rf', '/'], 'COMMAND_BLACKLISTED'],
    ['gcc', ['x.c'], 'COMMAND_NOT_WHITELISTED'],
    ['git', ['push'], 'COMMAND_NOT_WHITELISTED'],
  ];
  for (const [command, args, code] of forbidden) {
    const result = await commands.executeCommand(command, args);
    expect([command, result.status, result.error?.code]).toEqual([command, 'error', code]);
    expect(await commands.validate({ command, args })).toMatchObject({ valid: false, error: { code } });
  }
  expect(await commands.validate({ command: 'ls' })).toEqual({ valid: true });
  expect(await commands.validate({ command: 1 })).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
});

test('a program that prints more than 10 MiB is ended, and its name for that is the spec’s', async () => {
  await using bench = await workbench({ files: { 'big.txt': 'x'.repeat(10 * MiB + 1) } });
  expect(await commandsOf(bench).executeCommand('cat', ['big.txt'])).toMatchObject({
    status: 'error',
    error: { code: 'OUTPUT_SIZE_EXCEEDED', details: { limit: 10 * MiB } },
  });
  writeFileSync(join(bench.root, 'big.txt'), 'x'.repeat(2 * MiB));
  expect(await commandsOf(bench).executeCommand('cat', ['big.txt'])).toMatchObject({
    status: 'success',
    metadata: { truncated: true, output_size_bytes: 2 * MiB, output_file: expect.any(String) },
  });
});

test.each([
  ['npm', ['exec', '--', 'curl', 'http://127.0.0.1'], 'COMMAND_BLACKLISTED'],
  ['pnpm', ['-r', 'exec', 'sh', '-c', 'id'], 'COMMAND_BLACKLISTED'],
  ['yarn', ['exec', 'gcc', 'x.c'], 'COMMAND_NOT_WHITELISTED'],
  ['find', ['.', '-exec', 'sh', '-c', 'id', ';'], 'COMMAND_BLACKLISTED'],
])('behind %s %j stands a program that is refused as it is by itself', async (command, args, code) => {
  await using bench = await workbench();
  const result = await commandsOf(bench).executeCommand(command, args);
  expect([result.status, result.error?.code]).toEqual(['error', code]);
});

test('a program that takes too long is ended, and so is one whose caller gives up', async () => {
  await using bench = await workbench();
  const commands = commandsOf(bench);
  const timedOut = await commands.executeCommand('tail', ['-f', '/dev/null'], 200);
  expect(timedOut).toMatchObject({ status: 'timeout', error: { code: 'TIMEOUT' } });
  const cancelled = await commands.executeCommand('tail', ['-f', '/dev/null'], undefined, {
    signal: AbortSignal.timeout(300),
  });
  expect(cancelled.status).not.toBe('success');
});
