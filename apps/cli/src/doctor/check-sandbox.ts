// Are commands held in a sandbox on this machine? Asked the way a command asks.
import { sandboxAdvice, sandboxHere } from '@codelab/runtime';
import type { Finding } from './finding.ts';

export async function checkSandbox(): Promise<Finding> {
  const here = await sandboxHere();
  const { sandbox, why = '' } = here;
  const finding = { name: 'sandbox', isRequired: false };
  if (sandbox !== 'none')
    return {
      ...finding,
      status: 'ok',
      found: sandbox,
      advice: 'what runs unasked sees the workspace without secrets, no other files and no network',
    };
  return {
    ...finding,
    status: 'missing',
    found: `commands are not held: ${why} Nothing that has an effect runs unasked`,
    advice: sandboxAdvice(here),
  };
}
