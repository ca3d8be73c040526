// Whether the configuration can be used, and everything that is wrong with it.
import { createRuleBook } from '@codelab/runtime';
import { configFiles, loadConfig } from '@codelab/server';
import { realRoot } from '../command-line/compose-options.ts';
import type { Finding } from './finding.ts';

type Places = { workspace: string; home: string; env: NodeJS.ProcessEnv };

export async function checkConfig({ workspace, home, env }: Places): Promise<Finding[]> {
  const finding = { name: 'configuration', isRequired: true };
  const advice = 'correct it: `codelab config edit`, or with --scope workspace; docs/configuration.md';
  const broken = (found: string): Finding => ({ ...finding, status: 'broken', found, advice });
  try {
    const root = realRoot(workspace);
    const files = configFiles({ home, root });
    const faults = files.flatMap((file) => file.faults);
    if (faults.length > 0) return faults.map(({ message }) => broken(message));
    const { mode, sources, workspace: state } = await loadConfig({ home, root, mode: undefined, env });
    const nothing = (): Promise<never> => Promise.reject(new Error('Nothing is kept here.'));
    createRuleBook({ mode, sources, reload: () => undefined, save: nothing, drop: nothing });
    const user = files[0].text === undefined ? 'defaults' : 'your config.json';
    const own = {
      none: '',
      trusted: ', the workspace’s, trusted',
      untrusted: ', the workspace’s as far as it tightens',
    };
    return [{ ...finding, status: 'ok', found: `${user}${own[state]}`, advice: '`codelab config` lists it' }];
  } catch (error) {
    return [broken(error instanceof Error ? error.message : String(error))];
  }
}
