// Are commands held in a sandbox on this machine? Asked the way a command asks.
import { sandboxHere } from '@codelab/runtime';
import type { Finding } from './finding.ts';

export async function checkSandbox(): Promise<Finding> {
  const { sandbox, why = '' } = await sandboxHere();
  const finding = { name: 'sandbox', isRequired: false };
  if (sandbox !== 'none')
    return {
      ...finding,
      status: 'ok',
      found: sandbox,
      advice: 'commands write in the workspace only, see no secrets and no network',
    };
  return {
    ...finding,
    status: 'missing',
    found: `commands are not held: ${why}`,
    advice: adviceOn(why),
  };
}

function adviceOn(why: string): string {
  if (process.platform !== 'linux') return 'read each command before you approve it';
  if (why.includes('not installed')) return 'apt install bubblewrap (or dnf, pacman, apk: the same name)';
  return 'allow unprivileged user namespaces (docs/sandbox.md), and read each command until then';
}
