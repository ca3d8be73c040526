// Asks the policy about commands and edits without running anything, then adds a rule and asks again.
import { planOnly } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { temporaryWorkspace } from './temporary-workspace.ts';

using place = temporaryWorkspace();
await using composed = await compose({ ...place, mode: 'balanced', env: {} });

await check('run_command', { command: 'git log --oneline | head -3' });
await check('run_command', { command: 'git push --force' });
await check('write_file', { path: 'src/a.ts', content: 'export {};\n' });
await check('write_file', { path: '.git/hooks/pre-commit', content: '#!/bin/sh\n' });

await composed.host.rules.remember('workspace', {
  id: 'allow-src',
  effect: 'allow',
  tool: 'write_file',
  path: 'src/**',
  reason: 'Generated sources',
});
await check('write_file', { path: 'src/a.ts', content: 'export {};\n' });

async function check(tool: string, args: Record<string, unknown>): Promise<void> {
  const call = { session: 'example', dialect: 'codelab', tool, args } as const;
  try {
    const { verdict } = await planOnly(composed.host, call);
    console.log(`${JSON.stringify(args)}: ${verdict.verdict} (${verdict.rule}): ${verdict.reason}`);
  } catch (error) {
    // Some paths are refused before any rule is asked, in every mode.
    console.log(`${JSON.stringify(args)}: refused: ${(error as Error).message}`);
  }
}
