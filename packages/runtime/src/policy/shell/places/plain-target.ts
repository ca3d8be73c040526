// What a rule with any arguments never reaches: secrets, git's own files and ours by any word, and by what a program writes to also
// every name that something executes later.
import type { Access } from '@codelab/protocol';
import { findInTmp } from '../../../workspace/own-tmp.ts';
import { isProtected } from '../../built-in-rules.ts';
import { isProtectedPath } from '../../protected-names.ts';
import type { Argument } from '../argument.ts';
import { argumentsOf } from '../forms/known-arguments.ts';
import { readOptions } from '../options.ts';
import type { Scene } from '../scene.ts';
import { type ResolvedPlace, resolvePlace } from './resolve-place.ts';

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
