// Where to work and where the state is, from the options and the environment.
import { resolve } from 'node:path';
import { type ComposeOptions, defaultHome } from '@codelab/server';

type Given = { workspace?: string; mode?: string };

export function composeOptions({ workspace = '.', mode }: Given): ComposeOptions {
  const places = { workspace: resolve(workspace), home: defaultHome(), isShortLived: true };
  return mode === 'strict' || mode === 'balanced' || mode === 'trusted' ? { ...places, mode } : places;
}
