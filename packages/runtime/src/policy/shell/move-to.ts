// `cd`: from here on the line may stand somewhere else.
import type { Argument } from './argument.ts';
import { allows, asksUnlessHeld, type Finding, insists } from './finding.ts';
import { resolvePlace } from './resolve-place.ts';
import type { Scene } from './scene.ts';

const maxFolders = 8;

/** Whether the move succeeds, only running would tell: it may stand in the old folder or in the new one; `moved` is the new one alone. */
export function moveTo(args: readonly Argument[], scene: Scene): Finding {
  const before = scene.cwds;
  const moved = targets(args, scene);
  scene.moved = moved;
  const both = before && moved && [...new Set([...before, ...moved])];
  scene.cwds = both && both.length <= maxFolders ? both : undefined;
  if (moved) return allows('Only changes the folder for what follows.');
  const ask = isOutside(args, { ...scene, cwds: before }) ? insists : asksUnlessHeld;
  return ask('It would stand in a folder that is not known, or outside.', 'high');
}

/** Whether the line says that it leads out, to a place that the sandbox does not have. */
function isOutside(args: readonly Argument[], { workspace, cwds }: Scene): boolean {
  const last = args.at(-1);
  // Without a word it is the home.
  if (last === undefined || last.text.startsWith('~') || last.value === '-') return true;
  if (last.kind !== 'exact') return false;
  return (cwds ?? ['']).some((cwd) => {
    const place = resolvePlace(workspace, cwd, last.value, 'read');
    return place.kind === 'guarded' || (place.kind === 'outside' && place.where === undefined);
  });
}

function targets(args: readonly Argument[], { workspace, cwds }: Scene): string[] | undefined {
  const [first] = args[0]?.value === '--' ? args.slice(1) : args;
  if (cwds === undefined || first?.kind !== 'exact' || args.length > 2 || /^-|^$/.test(first.value))
    return undefined;
  const found = cwds.map((cwd) => resolvePlace(workspace, cwd, first.value, 'read'));
  const folders = found.flatMap((place) =>
    // Through a link the shell and the system disagree about what `..` is.
    place.kind === 'inside' && !place.isLinked ? [place.path === '.' ? '' : place.path] : [],
  );
  return folders.length === found.length ? folders : undefined;
}
