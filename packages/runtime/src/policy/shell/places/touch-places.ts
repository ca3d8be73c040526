// Checks a program's path arguments and records them, so that path rules can match.
import { existsSync } from 'node:fs';
import { type Access, phrase, phraseOf } from '@codelab/protocol';
import { findInTmp } from '../../../workspace/own-tmp.ts';
import { isProtected } from '../../built-in-rules.ts';
import { isProtectedPath } from '../../protected-names.ts';
import type { Argument } from '../argument.ts';
import { isHarmlessInGit } from '../git/git-settings.ts';
import {
  alwaysAsks,
  asks,
  asksUnlessHeld,
  type Judgement,
  readsUnclear,
  refuses,
  strictest,
} from '../judgement.ts';
import type { LineState } from '../line-state.ts';
import { isAtHome, type ParsedOptions, readOptions } from '../options.ts';
import { argumentsOf } from '../rule-words/known-arguments.ts';
import { type ResolvedPlace, refuseHoldingState, refuseState, resolvePlace } from './resolve-place.ts';

// Printing to these devices changes nothing.
const streams = new Set([
  '/dev/null',
  '/dev/stdin',
  '/dev/stdout',
  '/dev/stderr',
  '/dev/fd/0',
  '/dev/fd/1',
  '/dev/fd/2',
]);

/** `list`: the program prints names and sizes, never the contents of a file. */
type Use = Access | 'list';

/** The judgements on the places; none when all of them lie inside the workspace. */
export function touchPlaces(args: readonly Argument[], use: Use, state: LineState): Judgement[] {
  return args.flatMap((arg) => touchPlace(arg, use, state).against);
}

export function touchPlace(
  arg: Argument,
  use: Use,
  state: LineState,
): { against: Judgement[]; places: Extract<ResolvedPlace, { kind: 'inside' }>[] } {
  refuseState([arg], state);
  const access = use === 'list' ? 'read' : use;
  const none = { places: [] };
  if (arg.kind !== 'exact') return { against: [unclear(arg, access)], ...none };
  if (streams.has(arg.value)) return { against: [], ...none };
  if (/^\/dev\/(tcp|udp)\//.test(arg.value))
    return { against: [alwaysAsks(phrase('place.connection', { word: arg.text }), 'critical')], ...none };
  const inTmp = findInTmp(state.tmp, arg.value);
  if (inTmp !== undefined && !inTmp.isLinked) return { against: ownObjection(arg, access), ...none };
  if (state.cwds === undefined && !arg.value.startsWith('/'))
    return { against: [unknownFolder(arg, access)], ...none };
  const resolved = (state.cwds ?? ['']).map((cwd) => resolvePlace(state.workspace, cwd, arg.value, access));
  const places = resolved.filter((place) => place.kind === 'inside');
  if (access === 'delete') refuseHoldingState(places, state);
  // Listing the name of a secret file does not reveal the secret.
  const noted = use === 'list' ? places.filter(({ path }) => !isProtected(path)) : places;
  for (const { asked, path } of noted) addTouch(state, asked, path, access);
  const against = resolved.flatMap((place) => objection(place, arg, access));
  return { against: against.length === 0 ? [] : [strictest(against)], places };
}

/** Records that a part, by default the current one, would delete or replace existing content. */
export function noteReplaced(
  places: readonly { path: string; exists: boolean }[],
  { parts, replaced }: LineState,
  part = parts.length - 1,
): void {
  for (const { path, exists } of places) if (exists) replaced.push({ part, path });
}

function addTouch({ touches, workspace }: LineState, asked: string, path: string, access: Access): void {
  if (access === 'read' && isHarmlessInGit(workspace.root.real, path)) return;
  if (!touches.some((touch) => touch.asked === asked && touch.path === path && touch.access === access))
    touches.push({ asked, path, access });
}

// Only this session sees its /tmp, which is removed when the session ends.
function ownObjection({ text }: Argument, access: Access): Judgement[] {
  return access === 'read' ? [] : [asks(phrase('place.ownTmp', { word: text }), 'low')];
}

function objection(place: ResolvedPlace, { text }: Argument, access: Access): Judgement[] {
  if (place.kind === 'inside') return [];
  if (place.kind === 'refused') return [refuses(phraseOf(place.reason))];
  const { where } = place;
  if (access === 'read' && where === 'system') return [];
  const judgement = where === 'shared' ? asksUnlessHeld : alwaysAsks;
  return access === 'read'
    ? [judgement(phrase('place.outside', { word: text }), 'high')]
    : [judgement(phrase('place.changedOutside', { word: text }), 'critical')];
}

function unclear(arg: Argument, access: Access): Judgement {
  const { text, isListed } = arg;
  if (isAtHome(arg)) return alwaysAsks(phrase('place.outside', { word: text }), 'critical');
  // A deletion of unknown size may be more than undo can restore.
  const judgement = access === 'delete' ? alwaysAsks : asksUnlessHeld;
  return access === 'read'
    ? (isListed === true ? readsUnclear : asksUnlessHeld)(phrase('place.unclear', { word: text }))
    : judgement(phrase('place.unclearChanged', { word: text }), 'critical');
}

function unknownFolder({ text }: Argument, access: Access): Judgement {
  const judgement = access === 'delete' ? alwaysAsks : asksUnlessHeld;
  return access === 'read'
    ? asksUnlessHeld(phrase('place.unknownFolder', { word: text }))
    : judgement(phrase('place.unknownFolderChanged', { word: text }), 'critical');
}

// The word after an option is its value in one version of a program and a file in another: a word that names a file counts as one.
export function valuesAsPlaces({ values }: ParsedOptions, state: LineState): Judgement[] {
  return values.flatMap(({ value, isApart }) => {
    if (!isApart || value.kind !== 'exact' || value.value === '/') return [];
    if (value.value.startsWith('/'))
      return existsSync(value.value) ? touchPlace(value, 'read', state).against : [];
    const places = (state.cwds ?? []).map((cwd) => resolvePlace(state.workspace, cwd, value.value, 'read'));
    const isFile = places.some((place) => place.kind === 'inside' && place.exists);
    const isParent = /(^|\/)\.\.(\/|$)/.test(value.value) && places.some(({ kind }) => kind !== 'inside');
    return isFile || isParent ? touchPlace(value, 'read', state).against : [];
  });
}

// Places that a rule with any arguments never covers: secrets, git's own files and ours in any word, and as a write target also names that
// are executed later.

/** Whether a word, or the value in its option, is a protected place, by name or by its target. */
export function namesSecret(args: readonly Argument[], state: LineState): boolean {
  const isSecret = (path: string): boolean => isProtected(path) || isOwn(path);
  const leadsThere = (value: string): boolean =>
    placesOf(value, state, 'read').some(
      (place) => place.kind === 'refused' || (place.kind === 'inside' && isSecret(place.path)),
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

/** Git's own files and our settings, under each name that some file system treats as theirs. */
function isOwn(path: string): boolean {
  return path.split('/').some((name) => /^\.(git|codelab)$/i.test(name));
}

/** A file or folder of the workspace that may be written to without being seen. */
export function isPlainTarget({ kind, value }: Argument, state: LineState): boolean {
  if (kind !== 'exact' || value.startsWith('-')) return false;
  const places = placesOf(value, state, 'write');
  const inside = places.filter((place) => place.kind === 'inside');
  return (
    inside.length > 0 &&
    inside.length === places.length &&
    [value, ...inside.flatMap(({ asked, path }) => [asked, path])].every(
      (path) => !isProtected(path) && !isOwn(path) && !isProtectedPath(path),
    )
  );
}

/** Empty when the line's folder is unknown. */
function placesOf(value: string, { workspace, cwds }: LineState, access: Access): ResolvedPlace[] {
  return (cwds ?? []).map((cwd) => resolvePlace(workspace, cwd, value, access));
}

/** Whether every write target of a known program (by option, or of a copy) is inside the workspace and unprotected. */
export function writesPlainly(name: string, args: readonly Argument[], state: LineState): boolean {
  const knownArguments = argumentsOf(name);
  if (knownArguments === undefined) return false;
  const { operands, values } = readOptions(args, knownArguments);
  const outputs = values.filter((option) => (knownArguments.outputs ?? '').split(' ').includes(option.name));
  if (!outputs.every(({ value }) => isPlainTarget(value, state))) return false;
  return name !== 'cp' || copiesOneFile(operands, state);
}

/**
 * A copy of one file to another, not into a folder. The same line may create the target folder, so the name must be harmless there as well.
 */
function copiesOneFile([from, to, ...others]: readonly Argument[], state: LineState): boolean {
  if (from === undefined || to === undefined || others.length > 0) return false;
  if (from.kind !== 'exact' || isProtectedPath(from.value.split('/').at(-1) ?? '')) return false;
  if (findInTmp(state.tmp, to.value)?.isLinked === false) return true;
  const isFolder = placesOf(to.value, state, 'write').some(
    (place) => place.kind === 'inside' && place.isFolder,
  );
  return isPlainTarget(to, state) && !isFolder && !to.value.endsWith('/');
}
