// Whether commands run in a sandbox on this machine, found out the way a command does.
import {
  betterSandbox,
  passedEnvironment,
  sandboxAdvice,
  sandboxHere,
  untracedReason,
} from '@codelab/runtime';
import { loadConfig } from '@codelab/server';
import { realRoot } from '../command-line/define-command.ts';
import type { DoctorFinding } from './finding.ts';

type Places = { workspace: string; home: string; env: NodeJS.ProcessEnv };

export async function checkSandbox(): Promise<DoctorFinding> {
  const current = await sandboxHere();
  const { sandbox, why = '' } = current;
  const finding = { name: 'sandbox', isRequired: false };
  const better = await betterSandbox(current);
  if (sandbox !== 'none')
    return {
      ...finding,
      status: 'ok',
      found:
        better === undefined
          ? sandbox
          : `${sandbox}, which confines as much but starts more slowly: ${better}`,
      advice: 'commands that run unasked see the workspace without secrets, no other files and no network',
    };
  return {
    ...finding,
    status: 'missing',
    found: `commands are not sandboxed: ${why} No command with an effect runs unasked`,
    advice: sandboxAdvice(current),
  };
}

/** How undo separates a command's changes from those of others. */
export async function checkTrace(): Promise<DoctorFinding> {
  const reason = await untracedReason();
  const finding = { name: 'who wrote a file', isRequired: false };
  if (reason === undefined)
    return {
      ...finding,
      status: 'ok',
      found: 'reported by the kernel for sandboxed commands',
      advice: 'undo of a command leaves changes that others made while it ran',
    };
  const advice =
    'undo of a command that writes all the time also undoes what you save meanwhile: docs/undo.md#what-others-did-meanwhile';
  return { ...finding, status: 'missing', found: `judged by time: ${reason}`, advice };
}

/** The variables of this environment that commands get besides those of every login: language, user, home. */
export async function checkEnvironment({ workspace, home, env }: Places): Promise<DoctorFinding> {
  const finding = { name: 'environment', isRequired: false };
  try {
    const root = realRoot(workspace);
    const { environment: added } = await loadConfig({ home, root, mode: undefined, env });
    const names = Object.keys(passedEnvironment(root, { added, network: true }, env).env).sort();
    const missing = added.filter((name) => !name.endsWith('*') && !names.includes(name));
    const found = `commands get ${names.length === 0 ? 'no variables of toolchains' : names.join(', ')}`;
    if (missing.length > 0)
      return {
        ...finding,
        status: 'missing',
        found,
        advice: `listed in \`environment\` but not set: ${missing.join(', ')}`,
      };
    const advice =
      '`environment` in config.json adds names; proxies are given only with the network, without their login';
    return { ...finding, status: 'ok', found, advice };
  } catch {
    return { ...finding, status: 'broken', found: 'not known', advice: 'see configuration' };
  }
}
