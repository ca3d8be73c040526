// The machine: Node, SQLite, the workspace, the state folder, the abilities of the system, and a model.
import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemWays } from '@codelab/runtime';
import { checkSqlite } from '@codelab/server';
import { modelChoice } from '../model/model-store.ts';
import type { DoctorFinding } from './finding.ts';

type Places = { workspace: string; home: string; env: NodeJS.ProcessEnv };

export function checkMachine({ workspace, home, env }: Places): DoctorFinding[] {
  return [
    checkNode(),
    sqliteFinding(),
    checkWorkspace(workspace),
    checkState(home),
    ...checkSystem({ workspace, home }),
    checkModel({ workspace, home, env }),
  ];
}

function checkNode(): DoctorFinding {
  const isNewEnough = Number.parseInt(process.versions.node, 10) >= 24;
  return {
    name: 'Node.js',
    status: isNewEnough ? 'ok' : 'broken',
    isRequired: true,
    found: process.version,
    advice: isNewEnough ? 'runs CodeLab' : 'version 24 or newer from https://nodejs.org',
  };
}

function sqliteFinding(): DoctorFinding {
  const { isSafe, found, advice } = checkSqlite();
  return { name: 'SQLite', status: isSafe ? 'ok' : 'broken', isRequired: true, found, advice };
}

function checkWorkspace(folder: string): DoctorFinding {
  const isReadable = may(folder, constants.R_OK | constants.X_OK);
  const isWritable = may(folder, constants.W_OK);
  const found = !isReadable ? 'not readable' : isWritable ? 'readable and writable' : 'read-only';
  const advice = isReadable ? folder : `${folder}: give another one with --workspace DIR`;
  return { name: 'workspace', status: isReadable ? 'ok' : 'broken', isRequired: true, found, advice };
}

const mebibyte = 1024 * 1024;
/** The log and the copies for undo need some room. */
const leastFreeBytes = 32 * mebibyte;

function checkState(home: string): DoctorFinding {
  const finding = { name: 'state folder', isRequired: true };
  if (!existsSync(home)) {
    const canBeMade = may(nearestFolder(home), constants.W_OK | constants.X_OK);
    return canBeMade
      ? { ...finding, status: 'ok', found: 'created when first needed', advice: home }
      : {
          ...finding,
          status: 'broken',
          found: `${home} can't be made`,
          advice: 'set CODELAB_HOME to a folder of yours',
        };
  }
  if (!may(home, constants.R_OK | constants.W_OK | constants.X_OK))
    return {
      ...finding,
      status: 'broken',
      found: `${home} is not writable`,
      advice: 'set CODELAB_HOME to a folder of yours',
    };
  const { bavail, bsize } = statfsSync(home);
  if (bavail * bsize < leastFreeBytes)
    return {
      ...finding,
      status: 'broken',
      found: `its disk is full: ${Math.floor((bavail * bsize) / mebibyte)} MB free`,
      advice: `free some space for ${home}`,
    };
  const isPrivate = process.platform === 'win32' || (statSync(home).mode & 0o077) === 0;
  return isPrivate
    ? { ...finding, status: 'ok', found: 'private and writable', advice: home }
    : {
        ...finding,
        isRequired: false,
        status: 'broken',
        found: 'other users can read it',
        advice: `chmod 700 ${home}`,
      };
}

function checkModel({ workspace, home, env }: Places): DoctorFinding {
  const finding = { name: 'model', isRequired: false };
  try {
    const { named, implied } = modelChoice({ home, root: realpathSync(workspace) }, env);
    const model = named ?? implied;
    if (model === undefined)
      return {
        ...finding,
        status: 'missing',
        found: 'none chosen',
        advice: 'codelab model use: from your keys and the servers on this machine',
      };
    const advice =
      named === undefined
        ? 'the only provider with a key; to choose another: codelab model use'
        : 'used by `codelab` and `codelab run`; `codelab model test` tests it';
    return { ...finding, status: 'ok', found: model === 'demo' ? 'demo, a script' : model, advice };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return { ...finding, status: 'broken', found, advice: 'see docs/models.md' };
  }
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** CodeLab's implementation of each thing that not every system supports, and its missing guarantees. */
function checkSystem({ workspace, home }: { workspace: string; home: string }): DoctorFinding[] {
  return systemWays({ workspace, home: nearestFolder(home) }).map(({ name, way, isFull, promise }) => ({
    name,
    status: isFull ? 'ok' : 'missing',
    isRequired: false,
    found: way,
    advice: isFull ? promise : `${promise}: docs/systems.md`,
  }));
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
