// Limits that a busy gateway reaches first: concurrent calls and open files.
import { readFileSync } from 'node:fs';
import { limitProfiles } from '@codelab/protocol';
import { schedulerLimits } from '@codelab/runtime';
import { loadConfig } from '@codelab/server';
import { realRoot } from '../command-line/define-command.ts';
import type { DoctorFinding } from './finding.ts';

type Places = { workspace: string; home: string; env: NodeJS.ProcessEnv };

/** A socket takes one descriptor, a command about ten. */
const fewFiles = 1024;

export async function checkLimits(places: Places): Promise<DoctorFinding[]> {
  const files = openFiles();
  return [await callsAtOnce(places), ...(files === undefined ? [] : [files])];
}

async function callsAtOnce({ workspace, home, env }: Places): Promise<DoctorFinding> {
  const finding = { name: 'calls at once', isRequired: false };
  try {
    const config = await loadConfig({ home, root: realRoot(workspace), mode: undefined, env });
    const { parallel, queued } = { ...limitProfiles.codelab, ...config.limits };
    const { session, read, change, command } = schedulerLimits(parallel, config.atOnce);
    return {
      ...finding,
      status: 'ok',
      found: `${session} of each session, ${queued} under way; in all ${read} reads, ${change} changes, ${command} commands`,
      advice: 'the rest wait their turn; `limits` in config.json: docs/configuration.md',
    };
  } catch {
    return { ...finding, status: 'broken', found: 'not known', advice: 'see configuration' };
  }
}

function openFiles(): DoctorFinding | undefined {
  const openFiles = softLimit();
  if (openFiles === undefined) return undefined;
  const isEnough = openFiles >= fewFiles;
  return {
    name: 'open files',
    status: isEnough ? 'ok' : 'missing',
    isRequired: false,
    found: `at most ${openFiles}`,
    advice: isEnough ? 'of one process' : 'few for a gateway: raise it with `ulimit -n` or LimitNOFILE',
  };
}

/** Undefined where the system does not report a limit. */
function softLimit(): number | undefined {
  try {
    const maxFiles = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return maxFiles === undefined ? undefined : Number(maxFiles);
  } catch {
    return undefined;
  }
}
