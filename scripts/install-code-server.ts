/**
 * Installs the editor for tests of the VS Code extension: code-server, which is VS Code served to a browser, from the npm registry, without
 * anything that would have to be compiled. It is stored in node_modules/.cache and installed once.
 * Usage: node scripts/install-code-server.ts
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const codeServerVersion = '4.139.1';

const cache = join(import.meta.dirname, '..', 'node_modules', '.cache');
const folder = join(cache, `code-server-${codeServerVersion}`);
const server = join('node_modules', 'code-server', 'lib', 'vscode');

/** The program to start it with, or why there is none. */
export type CodeServer = { program: string } | { missing: string };

/** Takes half a minute the first time, and nothing after that. */
export function installCodeServer(): CodeServer {
  const program = join(folder, server, 'out', 'server-main.js');
  if (existsSync(program)) return { program };
  if (process.env.CODELAB_TEST_EDITOR === 'off') return { missing: 'CODELAB_TEST_EDITOR is off' };
  mkdirSync(cache, { recursive: true });
  const temporary = mkdtempSync(join(cache, 'code-server-'));
  try {
    writeFileSync(join(temporary, 'package.json'), '{ "private": true }\n');
    install(temporary, [`code-server@${codeServerVersion}`]);
    install(join(temporary, server), ['--omit=dev']);
    renameSync(temporary, folder);
  } catch (error) {
    // The program may have been installed by another process meanwhile.
    if (!existsSync(program))
      return {
        missing: `code-server could not be installed: ${error instanceof Error ? error.message : error}`,
      };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return { program };
}

function install(cwd: string, packages: readonly string[]): void {
  const quiet = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--fetch-retries=1',
    '--loglevel=error',
  ];
  const { status, stderr, error } = spawnSync('npm', ['install', ...quiet, ...packages], {
    cwd,
    encoding: 'utf8',
    timeout: 180_000,
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(stderr.trim().split('\n').slice(0, 3).join(' '));
}

if (process.argv[1] === import.meta.filename) {
  const found = installCodeServer();
  console.log('program' in found ? found.program : found.missing);
  if ('missing' in found) process.exitCode = 1;
}
