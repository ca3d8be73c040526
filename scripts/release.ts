/**
 * `npm run release -- VERSION`: sets the version of every package, moves the changelog's Unreleased section under it, builds the packages
 * twice and compares them, and prints the commands that publish. Nothing leaves the machine.
 * Flags: --date YYYY-MM-DD (default: today), --dry-run prints the changes.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { values: flags, positionals } = parseArgs({
  options: { date: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [version = ''] = positionals;
const date = flags.date ?? new Date().toISOString().slice(0, 10);

if (!/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version)) fail('Give the new version: npm run release -- 1.2.3');
if (run('git', ['status', '--porcelain']).stdout.trim() !== '') fail('Commit or stash your changes first.');

const files = ['package.json', ...globSync('{packages,apps}/*/package.json', { cwd: root })];
for (const file of files) change(file, (text) => withVersion(file, text));
change('CHANGELOG.md', withSection);
if (flags['dry-run']) process.exit(0);
if (run('npm', ['install', '--package-lock-only', '--ignore-scripts']).status !== 0)
  fail('npm could not update package-lock.json.');
if (run(process.execPath, ['scripts/pack.ts', '--check'], 'inherit').status !== 0)
  fail('The packages could not be built, or two builds differ.');
console.log(`
Ready. To publish ${version}:
  git commit -am "chore(release): ${version}" && git tag v${version} && git push --follow-tags
  for package in dist/*-${version}.tgz; do npm publish "$package"; done
  # and attach dist/SHA256SUMS to the release`);

function withVersion(file: string, text: string): string {
  const manifest: { version?: string } = JSON.parse(text);
  if (manifest.version === undefined) fail(`${file} has no version.`);
  // The edit changes one line and leaves the rest of the file as written.
  return text.replace(`"version": "${manifest.version}"`, `"version": "${version}"`);
}

function withSection(text: string): string {
  const heading = '## [Unreleased]';
  const [, body = ''] = text.split(heading);
  if (body.split('\n## [')[0]?.trim() === '') fail('CHANGELOG.md has nothing under Unreleased.');
  return text.replace(heading, `${heading}\n\n## [${version}] - ${date}`);
}

function change(file: string, edit: (text: string) => string): void {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const after = edit(before);
  if (after === before) return;
  console.log(`${flags['dry-run'] ? 'would change' : 'changed'} ${file}`);
  if (!flags['dry-run']) writeFileSync(path, after);
}

function run(program: string, args: string[], stdio: 'pipe' | 'inherit' = 'pipe') {
  return spawnSync(program, args, { cwd: root, stdio, encoding: 'utf8' });
}

function fail(message: string): never {
  console.error(`release: ${message}`);
  process.exit(1);
}
