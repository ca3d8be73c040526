// The paths a program is given, sent through the workspace guard and noted, so that rules about paths can speak.
import type { Access } from '@codelab/protocol';
import type { Argument } from './argument.ts';
import { asksUnlessHeld, type Finding, insists, refuses, strictest } from './finding.ts';
import { isAtHome } from './options.ts';
import { refuseHoldingState, refuseState } from './refuse-state.ts';
import { type Place, resolvePlace } from './resolve-place.ts';
import type { Scene } from './scene.ts';

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

/** What speaks against it; nothing when all of them lie inside. */
export function touchPlaces(args: readonly Argument[], access: Access, scene: Scene): Finding[] {
  return args.flatMap((arg) => touchPlace(arg, access, scene).against);
}

export function touchPlace(
  arg: Argument,
  access: Access,
  scene: Scene,
): { against: Finding[]; places: Extract<Place, { kind: 'inside' }>[] } {
  refuseState([arg], scene);
  const none = { places: [] };
  if (arg.kind !== 'exact') return { against: [unclear(arg, access)], ...none };
  if (streams.has(arg.value)) return { against: [], ...none };
  if (/^\/dev\/(tcp|udp)\//.test(arg.value))
    return { against: [insists(`${arg.text} is a connection to another machine.`, 'critical')], ...none };
  if (scene.cwds === undefined && !arg.value.startsWith('/'))
    return { against: [unknownFolder(arg, access)], ...none };
  const found = (scene.cwds ?? ['']).map((cwd) => resolvePlace(scene.workspace, cwd, arg.value, access));
  const places = found.filter((place) => place.kind === 'inside');
  if (access === 'delete') refuseHoldingState(places, scene);
  for (const { asked, path } of places) addTouch(scene, asked, path, access);
  const against = found.flatMap((place) => objection(place, arg, access));
  return { against: against.length === 0 ? [] : [strictest(against)], places };
}

function addTouch({ touches }: Scene, asked: string, path: string, access: Access): void {
  if (!touches.some((one) => one.asked === asked && one.path === path && one.access === access))
    touches.push({ asked, path, access });
}

function objection(place: Place, { text }: Argument, access: Access): Finding[] {
  if (place.kind === 'inside') return [];
  if (place.kind === 'guarded') return [refuses(place.reason)];
  const { where } = place;
  if (access === 'read' && where === 'system') return [];
  const ask = where === 'shared' ? asksUnlessHeld : insists;
  return access === 'read'
    ? [ask(`${text} leads out of the workspace.`, 'high')]
    : [ask(`${text} would be changed, outside the workspace.`, 'critical')];
}

function unclear(arg: Argument, access: Access): Finding {
  const { text } = arg;
  if (isAtHome(arg)) return insists(`${text} leads out of the workspace.`, 'critical');
  // What is deleted unseen may be more than undo can bring back.
  const ask = access === 'delete' ? insists : asksUnlessHeld;
  return access === 'read'
    ? asksUnlessHeld(`Which file ${text} is, only running would tell.`, 'high')
    : ask(`Which file ${text} is, only running would tell, and it would be changed.`, 'critical');
}

function unknownFolder({ text }: Argument, access: Access): Finding {
  const ask = access === 'delete' ? insists : asksUnlessHeld;
  return access === 'read'
    ? asksUnlessHeld(`In which folder ${text} is looked for, only running would tell.`, 'high')
    : ask(`In which folder ${text} is changed, only running would tell.`, 'critical');
}
