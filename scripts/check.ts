/** `npm run check`: every static check in turn, one line each; a tool's own output only when it fails. */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bin = join(root, 'node_modules', '.bin');

const steps: Record<string, string[]> = {
  format: ['biome', 'check', '--linter-enabled=false', '--enforce-assist=true', '.'],
  lint: ['biome', 'lint', '--error-on-warnings', '.'],
  // Biome's own promise rules do not see types from node: modules; these do.
  promises: ['oxlint', '--type-aware', '--deny-warnings'],
  types: ['tsc', '--pretty'],
  'web types': ['tsc', '--pretty', '-p', 'apps/web'],
  'editor types': ['tsc', '--pretty', '-p', 'apps/vscode'],
  'dead code': ['knip', '--no-progress', '--no-config-hints'],
  boundaries: ['node', 'scripts/boundaries.ts'],
  'one home': ['node', 'scripts/one-home.ts'],
  shape: ['node', 'scripts/source-shape.ts'],
  walk: ['node', 'scripts/walk.ts', '--check'],
};

const failed = Object.entries(steps).filter(([name, command]) => !passes(name, command));
process.exitCode = failed.length === 0 ? 0 : 1;

function passes(name: string, [program = '', ...args]: string[]): boolean {
  const started = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` },
    // npm installs its programs as .cmd files there, which only a shell can start.
    shell: process.platform === 'win32',
  });
  const ok = status === 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(12)} ${seconds} s`);
  if (!ok || name === 'shape') console.log(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`);
  return ok;
}
