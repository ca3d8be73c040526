// Everything below a folder that a program reads whole: noted one by one, since one of them may hold secrets.
import { ToolError } from '@codelab/protocol';
import type { Directory } from '../../workspace/directory.ts';
import { isStateFolderError } from '../../workspace/state-folder.ts';
import { entriesOf } from '../../workspace/tree.ts';
import { builtInRules } from '../built-in-rules.ts';
import { compileTrusted, factsOf } from '../match-rule.ts';
import { asks, asksUnlessHeld, type Finding } from './finding.ts';
import { refuseHoldingState } from './refuse-state.ts';
import { resolvePlace } from './resolve-place.ts';
import type { Scene } from './scene.ts';
import { type Unhidden, unhiddenAbove, unhiddenIn } from './unhidden.ts';

const maxEntries = 5000;
const maxShown = 20;

type Below = {
  skips(name: string, isFolder: boolean): boolean;
  /** What an ignore file names after a `!` is read although it is hidden. */
  unhides?: boolean;
  /** The program reads what links lead to. */
  followsLinks?: boolean | undefined;
};

/** What speaks against it. Those that a built-in rule asks about are shown, the rest is only judged. */
export function readBelow(
  path: string,
  scene: Scene,
  { skips, unhides = false, followsLinks }: Below,
): Finding[] {
  let left = maxEntries;
  const against: Finding[] = [];
  const visit = (directory: Directory, below: string, above: readonly Unhidden[]): void => {
    const entries = entriesOf(directory);
    const unhidden = unhides ? [...above, ...unhiddenIn(directory, entries)] : [];
    for (const entry of entries) {
      const isFolder = entry.isDirectory();
      const isNamed = entry.name.startsWith('.') && unhidden.some((test) => test(entry.name, isFolder));
      if (!isNamed && skips(entry.name, isFolder)) continue;
      if (--left < 0) return;
      const place = below + entry.name;
      if (entry.isDirectory()) {
        using inner = directory.openBelow(entry.name);
        visit(inner, `${place}/`, unhidden);
      } else if (entry.isFile()) note(place, scene);
      else if (followsLinks && entry.isSymbolicLink()) against.push(...followLink(place, scene));
    }
  };
  try {
    using place = scene.workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
    if (place.stat?.isDirectory() !== true) return [];
    using directory = place.name === '.' ? place.parent.again() : place.parent.openBelow(place.name);
    visit(directory, path === '.' ? '' : `${path}/`, unhides ? unhiddenAbove(directory.real) : []);
  } catch (error) {
    if (isStateFolderError(error)) throw error;
    return [
      asks(
        `Not everything below ${path} could be looked at (${error instanceof ToolError ? error.message : 'closed'}).`,
        'high',
      ),
    ];
  }
  if (left < 0) {
    refuseHoldingState(
      [{ kind: 'inside', asked: path, path, exists: true, isFolder: true, isLinked: false }],
      scene,
    );
    against.push(
      asks(`There is too much below ${path} to see whether it holds secrets. Name a smaller folder.`, 'high'),
    );
  }
  return against;
}

function followLink(path: string, scene: Scene): Finding[] {
  const place = resolvePlace(scene.workspace, '', path, 'read');
  if (place.kind === 'inside' && !place.isFolder) {
    note(place.path, scene);
    return [];
  }
  return [asksUnlessHeld(`${path} is a link, and what it leads to would be read.`, 'high')];
}

const secrets = builtInRules.filter(({ access }) => access?.includes('read')).map(compileTrusted);

function note(path: string, { touches, within }: Scene): void {
  const touch = { asked: path, path, access: 'read' as const };
  const facts = factsOf({ tool: '', kind: 'read', profile: '' }, [touch]);
  const isShown = touches.length < maxShown && secrets.some(({ test }) => test(facts));
  (isShown ? touches : within).push(touch);
}
