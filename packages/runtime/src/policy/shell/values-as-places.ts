// A word behind an option is its value in one version of a program and a file in another: where it names a file, it counts as one.
import { existsSync } from 'node:fs';
import type { Finding } from './finding.ts';
import type { GivenOptions } from './options.ts';
import { resolvePlace } from './resolve-place.ts';
import type { Scene } from './scene.ts';
import { touchPlace } from './touch-places.ts';

export function valuesAsPlaces({ values }: GivenOptions, scene: Scene): Finding[] {
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
