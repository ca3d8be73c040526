// The paths a program is given, sent through the workspace guard and noted, so that rules about paths can speak.
import { existsSync } from 'node:fs';
import { type Access, phrase, phraseOf } from '@codelab/protocol';
import { findInTmp } from '../../../workspace/own-tmp.ts';
import { isProtected } from '../../built-in-rules.ts';
import { isProtectedPath } from '../../protected-names.ts';
import type { Argument } from '../argument.ts';
import { argumentsOf } from '../forms/known-arguments.ts';
import { isHarmlessInGit } from '../git/git-settings.ts';
import {
  asks,
  asksUnlessHeld,
  insists,
  type Judgement,
  readsUnclear,
  refuses,
  strictest,
} from '../judgement.ts';
import { type GivenOptions, isAtHome, readOptions } from '../options.ts';
import type { Scene } from '../scene.ts';
import { type ResolvedPlace, refuseHoldingState, refuseState, resolvePlace } from './resolve-place.ts';

// Printing there changes nothing.
const streams = new Set([
  '/dev/null',
  '/dev/stdin',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/fd/0',
  '/dev/fd/1',
  '/dev/fd/2',
]);

/** `list`: names and sizes are told, and nothing of what stands in a file. */
type Use = Access | 'list';

/** What speaks against it; nothing when all of them lie inside. */
export function touchPlaces(args: readonly Argument[], use: Use, scene: Scene): Judgement[] {
  return args.flatMap((arg) => touchPlace(arg, use, scene).against);
}

export function touchPlace(
  arg: Argument,
  use: Use,
  scene: Scene,
): { against: Judgement[]; places: Extract<ResolvedPlace, { kind: 'inside' }>[] } {
  refuseState([arg], scene);
  const access = use === 'list' ? 'read' : use;
  const none = { places: [] };
  if (arg.kind !== 'exact') return { against: [unclear(arg, access)], ...none };
  if (streams.has(arg.value)) return { against: [], ...none };
  if (/^\/dev\/(tcp|udp)\//.test(arg.value))
    return { against: [insists(phrase('place.connection', { word: arg.text }), 'critical')], ...none };
  const own = findInTmp(scene.tmp, arg.value);
  if (own !== undefined && !own.isLinked) return { against: ownObjection(arg, access), ...none };
  if (scene.cwds === undefined && !arg.value.startsWith('/'))
    return { against: [unknownFolder(arg, access)], ...none };
  const found = (scene.cwds ?? ['']).map((cwd) => resolvePlace(scene.workspace, cwd, arg.value, access));
  const places = found.filter((place) => place.kind === 'inside');
  if (access === 'delete') refuseHoldingState(places, scene);
  // Listing the name of a secret file does not reveal the secret.
  const noted = use === 'list' ? places.filter(({ path }) => !isProtected(path)) : places;
  for (const { asked, path } of noted) addTouch(scene, asked, path, access);
  const against = found.flatMap((place) => objection(place, arg, access));
  return { against: against.length === 0 ? [] : [strictest(against)], places };
}

function addTouch({ touches, workspace }: Scene, asked: string, path: string, access: Access): void {
  if (access === 'read' && isHarmlessInGit(workspace.root.real, path)) return;
  if (!touches.some((one) => one.asked === asked && one.path === path && one.access === access))
    touches.push({ asked, path, access });
}

// Nobody else sees it, and it ends with the session.
function ownObjection({ text }: Argument, access: Access): Judgement[] {
  return access === 'read' ? [] : [asks(phrase('place.ownTmp', { word: text }), 'low')];
}

function objection(place: ResolvedPlace, { text }: Argument, access: Access): Judgement[] {
  if (place.kind === 'inside') return [];
  if (place.kind === 'guarded') return [refuses(phraseOf(place.reason))];
  const { where } = place;
  if (access === 'read' && where === 'system') return [];
  const ask = where === 'shared' ? asksUnlessHeld : insists;
  return access === 'read'
    ? [ask(phrase('place.outside', { word: text }), 'high')]
    : [ask(phrase('place.changedOutside', { word: text }), 'critical')];
}

function unclear(arg: Argument, access: Access): Judgement {
  const { text, isListed } = arg;
  if (isAtHome(arg)) return insists(phrase('place.outside', { word: text }), 'critical');
  // What is deleted unseen may be more than undo can bring back.
  const ask = access === 'delete' ? insists : asksUnlessHeld;
  return access === 'read'
    ? (isListed === true ? readsUnclear : asksUnlessHeld)(phrase('place.unclear', { word: text }))
    : ask(phrase('place.unclearChanged', { word: text }), 'critical');
}

function unknownFolder({ text }: Argument, access: Access): Judgement {
  const ask = access === 'delete' ? insists : asksUnlessHeld;
  return access === 'read'
    ? asksUnlessHeld(phrase('place.unknownFolder', { word: text }))
    : ask(phrase('place.unknownFolderChanged', { word: text }), 'critical');
}

// A word behind an option is its value in one version of a program and a file in another: where it names a file, it counts as one.
export function valuesAsPlaces({ values }: GivenOptions, scene: Scene): Judgement[] {
  return values.flatMap(({ value, isApart }) => {
    if (!isApart || value.kind !== 'exact' || value.value === '/') return [];
    if (value.value.startsWith('/'))
      return existsSync(value.value) ? touchPlace(value, 'read', scene).against : [];
    const places = (scene.cwds ?? []).map((cwd) => resolvePlace(scene.workspace, cwd, value.value, 'read'));
    const isFile = places.some((place) => place.kind === 'inside' && place.exists);
    const isParent = /(^|\/)\.\.(\/|$)/.test(value.value) && places.some(({ kind }) => kind !== 'inside');
    return isFile || isParent ? touchPlace(value, 'read', scene).against : [];
  });
}

// What a rule with any arguments never reaches: secrets, git's own files and ours by any word, and by what a program writes to also
// every name that something executes later.

/** Whether a word, or what stands behind its option, is such a place, by its name or where it leads. */
export function namesSecret(args: readonly Argument[], scene: Scene): boolean {
  const isSecret = (path: string): boolean => isProtected(path) || isOwn(path);
  const leadsThere = (value: string): boolean =>
    placesOf(value, scene, 'read').some(
      (place) => place.kind === 'guarded' || (place.kind === 'inside' && isSecret(place.path)),
    );
  return args.some(
    ({ kind, value }) =>
      kind === 'exact' &&
      !/\s/.test(value) &&
      [value, value.replace(/^[^=]*=/, ''), value.replace(/^-\w/, '')].some(
        (path) => isSecret(path) || leadsThere(path),
      ),
  );
}

/** Git's own files and our settings, under each name that some file system takes for theirs. */
function isOwn(path: string): boolean {
  return path.split('/').some((name) => /^\.(git|codelab)$/i.test(name));
}

/** A file or folder of the workspace that may be written to without being seen. */
export function isPlainTarget({ kind, value }: Argument, scene: Scene): boolean {
  if (kind !== 'exact' || value.startsWith('-')) return false;
  const places = placesOf(value, scene, 'write');
  const inside = places.filter((place) => place.kind === 'inside');
  return (
    inside.length > 0 &&
    inside.length === places.length &&
    [value, ...inside.flatMap(({ asked, path }) => [asked, path])].every(
      (path) => !isProtected(path) && !isOwn(path) && !isProtectedPath(path),
    )
  );
}

/** Empty when the folder that the line stands in is not known. */
function placesOf(value: string, { workspace, cwds }: Scene, access: Access): ResolvedPlace[] {
  return (cwds ?? []).map((cwd) => resolvePlace(workspace, cwd, value, access));
}

/** Whether what a program of the tables writes to, by its options or as the target of a copy, is such a place. */
export function writesPlainly(name: string, args: readonly Argument[], scene: Scene): boolean {
  const known = argumentsOf(name);
  if (known === undefined) return false;
  const { operands, values } = readOptions(args, known);
  const outputs = values.filter((one) => (known.outputs ?? '').split(' ').includes(one.name));
  if (!outputs.every(({ value }) => isPlainTarget(value, scene))) return false;
  return name !== 'cp' || copiesOneFile(operands, scene);
}

/** From one file to another, not into a folder: a folder made by the same line is not there yet, so the name must do no harm in it either. */
function copiesOneFile([from, to, ...more]: readonly Argument[], scene: Scene): boolean {
  if (from === undefined || to === undefined || more.length > 0) return false;
  if (from.kind !== 'exact' || isProtectedPath(from.value.split('/').at(-1) ?? '')) return false;
  if (findInTmp(scene.tmp, to.value)?.isLinked === false) return true;
  const isFolder = placesOf(to.value, scene, 'write').some(
    (place) => place.kind === 'inside' && place.isFolder,
  );
  return isPlainTarget(to, scene) && !isFolder && !to.value.endsWith('/');
}
