// The profiles of a workspace for the runtime. The usual one costs a look at two places; the others are read when one is asked for.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { build, type ProfileSource, unknownProfile } from '@codelab/runtime';
import type { KnownProfile, LoadedProfiles, ProfilePlaces } from './load-profiles.ts';

export function profileSource(places: ProfilePlaces): ProfileSource {
  let loaded: Promise<LoadedProfiles> | undefined;
  let isPlain: boolean | undefined;
  async function load(): Promise<LoadedProfiles> {
    return (await import('./load-profiles.ts')).loadProfiles(places);
  }
  async function known(name: string): Promise<KnownProfile> {
    loaded ??= load();
    const all = await loaded;
    const found = all.get(name);
    if (found === undefined) throw unknownProfile(name, [...all.keys()]);
    if (found instanceof ToolError) throw found;
    return found;
  }
  return {
    async find(name) {
      isPlain ??= isUntouched(places);
      return name === build.name && isPlain ? [build] : (await known(name)).holding;
    },
    role: async (name) => (await known(name)).role,
    async all() {
      loaded ??= load();
      return [...(await loaded).values()].flatMap((one) => (one instanceof ToolError ? [] : [one.role]));
    },
  };
}

/** The same profiles, each of which sees only these tools; names and patterns as in a profile. */
export function narrowedTo(tools: readonly string[], source: ProfileSource): ProfileSource {
  // An empty list in a profile is no limit.
  const held = tools.length === 0 ? ['-*'] : tools;
  return {
    ...source,
    // Of the same name, so that rules about the profile hold as before.
    find: async (name) => [...(await source.find(name)), { ...build, name, tools: held }],
  };
}

/** Nobody has put another profile in the place of the usual one. */
function isUntouched({ home, root }: ProfilePlaces): boolean {
  const folders = [join(home, 'agents'), join(root, '.codelab', 'agents')];
  return folders.every((folder) => !existsSync(join(folder, `${build.name}.md`)));
}
