// Words of a program that is not known in detail: does one of them name a place outside the workspace?
import type { Argument } from './argument.ts';
import { asksUnlessHeld, type Finding, insists, strictest } from './finding.ts';
import { type Outside, resolvePlace } from './resolve-place.ts';
import type { Scene } from './scene.ts';

export function leavingWords(args: readonly Argument[], { workspace, cwds }: Scene): Finding[] {
  const placeOf = (path: string): Outside | undefined => {
    if (path.startsWith('~')) return { kind: 'outside' };
    if (path === '/dev/null' || (!path.includes('/') && path !== '..')) return undefined;
    if (cwds === undefined && !path.startsWith('/'))
      return /(^|\/)\.\.(\/|$)/.test(path) ? { kind: 'outside' } : undefined;
    const places = (cwds ?? ['']).map((cwd) => resolvePlace(workspace, cwd, path, 'read'));
    const outside = places.filter((place) => place.kind === 'outside');
    return outside.find(({ where }) => where === undefined) ?? outside[0];
  };
  // `--out=/etc/x` and `-o/etc/x` name one as well.
  const findings = args.flatMap(({ text, value }) =>
    [value, value.replace(/^[^=]*=/, ''), value.replace(/^-\w/, '')].flatMap((path) => {
      const place = placeOf(path);
      if (place === undefined) return [];
      const ask = place.where === undefined ? insists : asksUnlessHeld;
      return [ask(`${text} leads out of the workspace.`, 'critical')];
    }),
  );
  return findings.length === 0 ? [] : [strictest(findings)];
}
