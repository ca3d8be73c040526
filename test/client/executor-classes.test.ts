// Further names in seed 002 besides the executors: errors to catch, a base class for own executors, the list of programs, permissions.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import {
  ApprovalDeniedError,
  COMMAND_WHITELIST,
  CommandExecutionError,
  defaultToolConfig,
  errorOf,
  FileOperationError,
  PathValidationError,
  TimeoutError,
} from '@codelab/client';
import { BaseToolExecutor, CommandExecutor, FileSystemExecutor, PathValidator } from '@codelab/client/node';
import { ToolError } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { isRoot } from '../support/calls-in-child.ts';
import { permissionsAsNobody } from '../support/permissions-as-nobody.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const approve = () => Promise.resolve({ kind: 'approve' as const });
const filesOf = ({ host }: Workbench) => new FileSystemExecutor({ host, session: 'editor', decide: approve });
const commandsOf = ({ host }: Workbench) => new CommandExecutor({ host, session: 'editor', decide: approve });

test('failures are classes to catch, with our codes', async () => {
  await using bench = await workbench({ files: { 'a.txt': 'x\n' } });
  const files = filesOf(bench);
  const commands = commandsOf(bench);
  const thrown = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(
      () => undefined,
      (one) => one,
    );
    return error instanceof ToolError ? [error.constructor, error.name, error.code] : error;
  };
  const [read, run] = ['read_file', 'execute_command'];
  expect(await thrown(files.executeOrThrow(read, { path: '../x' }))).toEqual([
    PathValidationError,
    'PathValidationError',
    'PATH_OUTSIDE_WORKSPACE',
  ]);
  expect(await thrown(new PathValidator(bench.host).requirePath(''))).toEqual([
    PathValidationError,
    'PathValidationError',
    'INVALID_PATH',
  ]);
  expect(await thrown(files.executeOrThrow(read, { path: 'none' }))).toEqual([
    FileOperationError,
    'FileOperationError',
    'FILE_NOT_FOUND',
  ]);
  expect(await thrown(commands.executeOrThrow(run, { command: 'sudo' }))).toEqual([
    CommandExecutionError,
    'CommandExecutionError',
    'COMMAND_NOT_ALLOWED',
  ]);
  const slowCommand = { command: 'tail', args: ['-f', '/dev/null'], timeout: 100 };
  expect(await thrown(commands.executeOrThrow(run, slowCommand))).toEqual([
    TimeoutError,
    'TimeoutError',
    'TIMEOUT',
  ]);
  const refusing = new FileSystemExecutor({
    host: bench.host,
    session: 'editor',
    decide: () => Promise.resolve({ kind: 'reject', feedback: 'no' }),
  });
  expect(await thrown(refusing.executeOrThrow('write_file', { path: 'b', content: '' }))).toEqual([
    ApprovalDeniedError,
    'ApprovalDeniedError',
    'REJECTED',
  ]);
  expect((await files.executeOrThrow(read, { path: 'a.txt' })).output).toBe('x\n');
  const ended = errorOf(await commands.executeCommand('cat', ['none']));
  expect(ended instanceof CommandExecutionError && [ended.code, ended.exitCode]).toEqual([
    'EXECUTION_FAILED',
    1,
  ]);
});

test('an executor of one’s own has the same pipeline, for the tools it names', async () => {
  class Reader extends BaseToolExecutor {
    readonly tools = ['read_file'];
    validate(args: Record<string, unknown>) {
      return this.check('read_file', args);
    }
  }
  await using bench = await workbench({ files: { 'a.txt': 'x\n' } });
  const reader = new Reader({ host: bench.host, session: 'editor', decide: approve });
  expect((await reader.execute('read_file', { path: 'a.txt' })).output).toBe('x\n');
  await expect(reader.execute('write_file', { path: 'b', content: '' })).rejects.toThrow(
    'It has: read_file.',
  );
  expect(await reader.validate({ path: 'a.txt' })).toEqual({ valid: true });
  expect(await reader.validate({ path: 'none' })).toMatchObject({ error: { code: 'FILE_NOT_FOUND' } });
});

test('the exported whitelist is the list that is held', async () => {
  await using bench = await workbench();
  for (const program of COMMAND_WHITELIST)
    expect(
      await commandsOf(bench).validate({ command: program, args: ['--version'] }),
      program,
    ).not.toMatchObject({ error: { code: 'COMMAND_NOT_WHITELISTED' } });
  expect([COMMAND_WHITELIST.length, COMMAND_WHITELIST.includes('node')]).toEqual([12, false]);
  expect(defaultToolConfig).toMatchObject({ parallel: 3, approvalMs: 300_000, commands: COMMAND_WHITELIST });
});

test('an absolute path inside the workspace and one that turns back within it are valid', async () => {
  await using bench = await workbench({ files: { 'a/b.txt': 'x\n' } });
  const validator = new PathValidator(bench.host);
  for (const path of [join(bench.root, 'a/b.txt'), 'a/../a/b.txt', `${bench.root}/none/../a/./b.txt`])
    expect(await validator.validatePath(path)).toEqual({
      valid: true,
      path: 'a/b.txt',
      exists: true,
      size: 2,
    });
  expect(await validator.resolvePath('a/..')).toMatchObject({ valid: true, path: '.' });
  expect(await validator.validatePath(`${bench.root}/../x`)).toMatchObject({
    error: { code: 'OUTSIDE_WORKSPACE' },
  });
});

test.runIf(isRoot)('permissions are part of a path’s validity, and can be asked for', async () => {
  using scratch = scratchFolder({
    files: { 'shut.txt': 'x', 'shown.txt': 'x', 'held/a.txt': '' },
    owner: 65534,
  });
  chmodSync(join(scratch.root, 'shut.txt'), 0o000);
  chmodSync(join(scratch.root, 'shown.txt'), 0o444);
  chmodSync(join(scratch.root, 'held'), 0o555);
  const paths = ['shut.txt', 'shown.txt', 'held', 'held/new.txt', 'held/a.txt', 'new.txt'];
  expect(permissionsAsNobody(scratch.folder, paths)).toEqual({
    'shut.txt': { valid: 'PERMISSION_DENIED', read: 'PERMISSION_DENIED', write: 'PERMISSION_DENIED' },
    'shown.txt': { valid: true, read: true, write: 'PERMISSION_DENIED' },
    held: { valid: true, read: true, write: 'PERMISSION_DENIED' },
    'held/new.txt': { valid: 'PERMISSION_DENIED', read: 'PERMISSION_DENIED', write: 'PERMISSION_DENIED' },
    'held/a.txt': { valid: true, read: true, write: 'PERMISSION_DENIED' },
    'new.txt': { valid: true, read: 'PERMISSION_DENIED', write: true },
  });
});
