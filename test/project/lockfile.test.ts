// The lockfile alone decides what `npm ci` installs, on this system and on others.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Locked = {
  link?: boolean;
  inBundle?: boolean;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string | string[];
  optionalDependencies?: Record<string, string>;
};

const root = join(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const packages: Record<string, Locked> = read('package-lock.json').packages;
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

const systems = [
  { os: 'darwin', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'win32', cpu: 'x64' },
  { os: 'win32', cpu: 'arm64' },
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
];

/** Packages that are a program for one system each, as their parent names them. */
const native = [
  'rolldown',
  '@tailwindcss/oxide',
  '@biomejs/biome',
  'oxlint',
  'oxlint-tsgolint',
  'esbuild',
  'oxc-parser',
  'lightningcss',
  'typescript',
  '@vscode/ripgrep',
  '@lydell/node-pty',
];

test.each(systems)('the tools that build and check are locked for $os on $cpu', ({ os, cpu }) => {
  const missing = native.filter((name) => {
    const parts = Object.keys(packages[`node_modules/${name}`]?.optionalDependencies ?? {});
    return !parts.some((part) => isFor(packages[`node_modules/${part}`], os, cpu));
  });
  expect(missing).toEqual([]);
});

test.each(systems)('one Node.js is locked by its hash for $os on $cpu', ({ os, cpu }) => {
  const nodePackages = Object.keys(read('package.json').optionalDependencies).filter((name) =>
    isFor(packages[`node_modules/${name}`], os, cpu),
  );
  expect(nodePackages).toEqual([expect.stringMatching(/^node-/)]);
});

test('everything that is installed has a hash, and nothing says from which registry it came', () => {
  expect(installed.filter(([, { integrity, inBundle }]) => !integrity && !inBundle)).toEqual([]);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

// A script could bring what no hash covers.
test('no package runs a script when it is installed, except the ones that are named', () => {
  const scripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  const allowed = Object.keys(read('package.json').allowScripts).map((name) => `node_modules/${name}`);
  // A part of Vite for macOS only, which its own package compiles where there is no binary.
  expect(scripts.filter((path) => path !== 'node_modules/fsevents').toSorted()).toEqual(allowed.toSorted());
});

function isFor(locked: Locked | undefined, os: string, cpu: string): boolean {
  if (locked?.integrity === undefined) return false;
  return [locked.os].flat().includes(os) && [locked.cpu].flat().includes(cpu);
}
