// Words of a program that is not known in detail: does one of them name a place outside the workspace?
import type { Argument } from './argument.ts';
import { type Finding, insists } from './finding.ts';
import { resolvePlace } from './resolve-place.ts';
import type { Scene } from './scene.ts';

export function leavingWords(args: readonly Argument[], { workspace, cwds }: Scene): Finding[] {
  const leaves = (path: string): boolean => {
    if (path.startsWith('~')) return true;
    if (path === '/dev/null' || (!path.includes('/') && path !== '..')) return false;
    if (cwds === undefined) return /^\/|(^|\/)\.\.(\/|$)/.test(path);
    return cwds.some((cwd) => resolvePlace(workspace, cwd, path, 'read').kind === 'outside');
  };
  // `--out=/etc/x` and `-o/etc/x` name one as well.
  const found = args.find(({ value }) =>
    [value, value.replace(/^[^=]*=/, ''), value.replace(/^-\w/, '')].some(leaves),
  );
  return found ? [insists(`${found.text} leads out of the workspace.`, 'critical')] : [];
}
