/**
 * `npm run pack`: builds, then writes the npm packages and their SHA-256 sums into dist/ (--out FOLDER writes them elsewhere).
 * Flags: --no-build packs the last build; --check builds everything a second time and fails when a byte differs.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { libraryPackages } from './pack/libraries.ts';
import { type Package, programPackage, variants } from './pack/program.ts';
import { makeTarball } from './pack/tarball.ts';

type Tarball = { name: string; bytes: Buffer; unpacked: number; files: number };

const root = join(import.meta.dirname, '..');
const { values: flags } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'dist') },
    check: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
});

if (!flags['no-build']) build();
const packed = pack();
write(packed);
if (flags.check) checkAgain(packed);

function build(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'build.ts')], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

function pack(): Tarball[] {
  const programs = Object.values(variants).map((variant) => programPackage(root, variant));
  return [...programs, ...libraryPackages(root)].map(({ name, version, files }: Package) => ({
    name: `${name.replace('@', '').replace('/', '-')}-${version}.tgz`,
    bytes: makeTarball(files),
    unpacked: files.reduce((sum, { contents }) => sum + contents.length, 0),
    files: files.length,
  }));
}

function write(tarballs: readonly Tarball[]): void {
  mkdirSync(flags.out, { recursive: true });
  for (const { name, bytes, unpacked, files } of tarballs) {
    writeFileSync(join(flags.out, name), bytes);
    console.log(
      `pack: ${name}, ${megabytes(bytes.length)}, unpacked ${megabytes(unpacked)} in ${files} files`,
    );
  }
  writeFileSync(join(flags.out, 'SHA256SUMS'), sums(tarballs));
  console.log(`pack: written to ${flags.out}`);
}

/** In the form of sha256sum, which can check it. */
function sums(tarballs: readonly Tarball[]): string {
  return tarballs
    .map(({ name, bytes }) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('');
}

function checkAgain(first: readonly Tarball[]): void {
  // Otherwise the page would not be built again.
  rmSync(join(root, 'apps', 'web', 'dist', 'build.json'), { force: true });
  build();
  const before = sums(first).split('\n');
  const differing = sums(pack())
    .split('\n')
    .filter((line) => !before.includes(line));
  for (const line of differing) console.error(`pack: the second build differs: ${line}`);
  if (differing.length > 0) process.exitCode = 1;
  else console.log('pack: a second build gives the same bytes');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
