#!/usr/bin/env node
// The `codelab` command. On Node 24 or newer: V8's compile cache on, then the bundle. On an older Node: relaunch.js.

if (Number.parseInt(process.versions.node, 10) >= 24) await start();
else await import('./relaunch.js');

async function start() {
  enableCompileCache();
  try {
    await import('../dist/main.mjs');
  } catch (error) {
    const isUnbuilt =
      error?.code === 'ERR_MODULE_NOT_FOUND' && error.url === import.meta.resolve('../dist/main.mjs');
    if (!isUnbuilt) throw error;
    console.error('codelab is not built yet: run `npm run build`');
    process.exitCode = 2;
  }
}

// Whoever can write to this folder runs code as us, so it is ours alone or it is not used.
// Starting without the cache is slower, never an error.
function enableCompileCache() {
  try {
    const folder = process.getBuiltinModule('node:path').join(stateFolder(), 'cache', 'v8');
    const { uid, mode } = statFolder(folder);
    const isPrivate = process.platform === 'win32' || (uid === process.geteuid() && (mode & 0o022) === 0);
    if (isPrivate) process.getBuiltinModule('node:module').enableCompileCache(folder);
  } catch {}
}

function statFolder(folder) {
  const { statSync } = process.getBuiltinModule('node:fs');
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) makeFolder(folder);
  return found ?? statSync(folder);
}

// Not `recursive: true`: below /proc that never returns.
function makeFolder(folder) {
  const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs');
  const parent = process.getBuiltinModule('node:path').dirname(folder);
  if (!existsSync(parent)) makeFolder(parent);
  if (!existsSync(folder)) mkdirSync(folder, 0o700);
}

function stateFolder() {
  const { CODELAB_HOME, XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (CODELAB_HOME) return CODELAB_HOME;
  const { isAbsolute, join } = process.getBuiltinModule('node:path');
  const home = process.getBuiltinModule('node:os').homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'codelab');
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'codelab');
  // The XDG specification: a relative path there is to be ignored.
  const state = XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(home, '.local', 'state');
  return join(state, 'codelab');
}
