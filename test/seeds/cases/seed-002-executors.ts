// Seed 002: the executors and the validator over real files and programs.
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as library from '@codelab/client';
import * as node from '@codelab/client/node';
import { expect } from 'vitest';
import { executors } from '../editor.ts';
import type { SeedCase } from '../seed-case.ts';

const MiB = 1024 * 1024;
const exported: Record<string, unknown> = { ...library, ...node };

function touched(root: string, name: string): string {
  writeFileSync(join(root, name), '');
  return join(root, name);
}

export const executors002: readonly SeedCase[] = [
  {
    id: 'output',
    item: 'Output has a limit of 10 MB; what is cut says so',
    on: ['client'],
    async play() {
      await using editor = await executors();
      truncateSync(touched(editor.local.root, 'big'), 12 * MiB);
      const answer = await editor.commands.executeCommand('cat', ['big']);
      expect(answer.status === 'error' ? answer.error?.code : answer.metadata?.truncated).toEqual(
        answer.status === 'error' ? 'OUTPUT_SIZE_EXCEEDED' : true,
      );
      truncateSync(join(editor.local.root, 'big'), 2 * MiB);
      const cut = await editor.commands.executeCommand('cat', ['big']);
      expect(cut.metadata).toMatchObject({ truncated: true });
    },
  },
  {
    id: 'FileSystemExecutor',
    item: '`executeReadFile`, `executeWriteFile`, `executeListDirectory`, `validate`',
    on: ['client'],
    async play() {
      await using editor = await executors({ files: { 'a.txt': 'hello\n' } });
      const { files } = editor;
      expect(await files.executeReadFile('a.txt')).toMatchObject({ status: 'success', output: 'hello\n' });
      expect(await files.executeWriteFile('b.txt', 'two\n')).toMatchObject({
        status: 'success',
        output: { size_bytes: 4 },
      });
      expect(await files.executeListDirectory('.')).toMatchObject({
        output: {
          entries: [
            { name: 'a.txt', type: 'file' },
            { name: 'b.txt', type: 'file' },
          ],
        },
      });
      expect(await files.validate({ path: '../x' })).toMatchObject({ valid: false });
    },
  },
  {
    id: 'FileSystemExecutor: checkPermissions',
    item: 'Says whether a file may be read or written',
    on: ['client'],
    async play() {
      await using editor = await executors({ files: { 'a.txt': '' } });
      expect(typeof Reflect.get(editor.files, 'checkPermissions')).toBe('function');
    },
  },
  {
    id: 'FileSystemExecutor: links',
    item: 'A link to a folder is listed as a folder',
    on: ['client'],
    async play() {
      await using editor = await executors();
      mkdirSync(join(editor.local.root, 'sub'));
      symlinkSync('sub', join(editor.local.root, 'link'));
      expect(await editor.files.executeListDirectory('.')).toMatchObject({
        output: {
          entries: [
            { name: 'link', type: 'directory' },
            { name: 'sub', type: 'directory' },
          ],
        },
      });
    },
  },
  {
    id: 'CommandExecutor',
    item: '`executeCommand(command, args?, timeout?)` without a shell, `validate`',
    on: ['client'],
    async play() {
      await using editor = await executors({ files: { 'a b.txt': 'x\n' } });
      expect(await editor.commands.executeCommand('cat', ['a b.txt'])).toMatchObject({
        output: 'x\n',
        exitCode: 0,
      });
      expect(await editor.commands.executeCommand('ls', ['$(id)'])).toMatchObject({
        status: 'error',
        error: { message: expect.stringContaining('$(id)') },
      });
      expect(await editor.commands.validate({ command: 'ls' })).toEqual({ valid: true });
    },
  },
  {
    id: 'Flow 3',
    item: 'Over its time: SIGTERM, then SIGKILL, then a timeout result',
    on: ['client'],
    async play() {
      await using editor = await executors({ limits: { killGraceMs: 200 } });
      const scripts = { stubborn: "trap '' TERM; while :; do sleep 0.05; done" };
      writeFileSync(join(editor.local.root, 'package.json'), JSON.stringify({ scripts }));
      const answer = await editor.commands.executeCommand('npm', ['run', 'stubborn'], 1500);
      expect(answer).toMatchObject({ status: 'timeout', error: { code: 'TIMEOUT' } });
    },
  },
  {
    id: 'PathValidator',
    item: '`validatePath`, `validateWorkspaceBoundary`, `checkFileSize`, `resolvePath`; links stay inside; 100 MB',
    on: ['client'],
    async play() {
      await using editor = await executors({ files: { 'a.txt': 'text', 'sub/b.txt': '' } });
      const { paths, local } = editor;
      symlinkSync('..', join(local.root, 'out'));
      symlinkSync('a.txt', join(local.root, 'in'));
      truncateSync(touched(local.root, 'big'), 100 * MiB + 1);
      expect(await paths.validatePath('in')).toMatchObject({ valid: true, path: 'a.txt' });
      expect(await paths.validatePath('out/x')).toMatchObject({
        error: { code: 'SYMLINK_OUTSIDE_WORKSPACE' },
      });
      expect(await paths.validateWorkspaceBoundary('../x')).toMatchObject({
        error: { code: 'PATH_TRAVERSAL' },
      });
      expect(await paths.validatePath('big')).toMatchObject({ error: { code: 'FILE_SIZE_EXCEEDED' } });
      expect(await paths.checkFileSize('a.txt', 3)).toMatchObject({ valid: false });
      expect(await paths.resolvePath('new.txt')).toMatchObject({ valid: true, exists: false });
    },
  },
  {
    id: 'PathValidator: normalised',
    item: 'A path is normalised first: absolute inside the workspace, and `a/../b`',
    on: ['client'],
    async play() {
      await using editor = await executors({ files: { 'a.txt': '', 'sub/b.txt': '' } });
      for (const path of [join(editor.local.root, 'a.txt'), 'sub/../a.txt'])
        expect(await editor.paths.validatePath(path)).toMatchObject({ valid: true, path: 'a.txt' });
    },
  },
  {
    id: 'executeReadFile: encoding',
    item: '`executeReadFile(path, encoding?)`',
    on: ['client'],
    async play() {
      await using editor = await executors({ files: { 'a.txt': Buffer.from('caf\xe9', 'latin1') } });
      expect(await editor.files.executeReadFile('a.txt', 'latin1')).toMatchObject({ output: 'café' });
    },
  },
  {
    id: 'read cache',
    item: 'A read is kept for 5 minutes',
    on: ['client'],
    differs: 'only while the file is the same: a changed file is read anew at once',
    async play() {
      await using editor = await executors({ files: { 'a.txt': 'one' } });
      expect(await editor.files.executeReadFile('a.txt')).toMatchObject({ output: 'one' });
      writeFileSync(join(editor.local.root, 'a.txt'), 'two');
      expect(await editor.files.executeReadFile('a.txt')).toMatchObject({ output: 'two' });
    },
  },
  {
    id: 'typed errors',
    item: '`PathValidationError`, `FileOperationError`, `CommandExecutionError`, `TimeoutError`, `ApprovalDeniedError`',
    on: ['client'],
    async play() {
      for (const name of [
        'PathValidationError',
        'FileOperationError',
        'CommandExecutionError',
        'TimeoutError',
        'ApprovalDeniedError',
      ])
        expect([
          name,
          (exported[name] as { prototype?: unknown } | undefined)?.prototype instanceof Error,
        ]).toEqual([name, true]);
    },
  },
  {
    id: 'modules',
    item: '`BaseToolExecutor`, `COMMAND_WHITELIST`, `ToolHandler`, `StreamingClient`, `CodeLabAPI`',
    on: ['client'],
    async play() {
      for (const name of ['BaseToolExecutor', 'ToolHandler', 'StreamingClient', 'CodeLabAPI'])
        expect([name, typeof exported[name]]).toEqual([name, 'function']);
      expect([...(exported.COMMAND_WHITELIST as Iterable<string>)].sort()).toEqual([
        'cat',
        'find',
        'git',
        'head',
        'ls',
        'mkdir',
        'npm',
        'pnpm',
        'rm',
        'tail',
        'touch',
        'yarn',
      ]);
    },
  },
  {
    id: 'timeout defaults',
    item: 'A command has 5 minutes',
    on: ['client'],
    async play() {
      await using editor = await executors();
      expect(editor.local.host.limits('plugin')).toMatchObject({ runMs: 300_000 });
    },
  },
  {
    id: 'extension.ts',
    item: 'The VS Code extension itself',
    on: ['client'],
    // test/vscode/extension.test.ts plays all of it in a real editor.
    async play() {
      const app = join(import.meta.dirname, '..', '..', '..', 'apps', 'vscode');
      const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
      expect([manifest.main, manifest.extensionKind]).toEqual(['./dist/extension.js', ['workspace']]);
      const entry = readFileSync(join(app, 'src', 'extension.ts'), 'utf8');
      expect(entry).toMatch(/export function activate[\s\S]+export async function deactivate/);
    },
  },
];
