// Notices that a file with rules was changed, by whomever, by looking at its version before each judgement.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { identity, type RuleSource } from '@codelab/runtime';
import { workspaceConfigPath } from './load-config.ts';

/** Returns the rules anew when one of their files has changed; what `load` throws is thrown once for each version. */
export function watchRules(
  { home, root }: { home: string; root: string },
  load: () => readonly RuleSource[],
): () => readonly RuleSource[] | undefined {
  const files = [
    ...['rules.json', 'config.json', 'trust.json'].map((name) => join(home, name)),
    join(root, workspaceConfigPath),
  ];
  let known = versionOf(files);
  return () => {
    const version = versionOf(files);
    if (version === known) return undefined;
    known = version;
    return load();
  };
}

function versionOf(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false });
        return stat === undefined ? 'none' : identity(stat);
      } catch (error) {
        // What can't be looked at is one more state of it, which `load` then tells about.
        return String(error);
      }
    })
    .join(' ');
}
