// Where to work and where the state is, from the options and the environment.
import { resolve } from 'node:path';
import { visibleLine } from '@codelab/protocol';
import { type ComposeOptions, defaultHome } from '@codelab/server';
import { writeText } from '../output/write-text.ts';

type Given = { workspace?: string; mode?: string };

export function composeOptions({ workspace = '.', mode }: Given): ComposeOptions {
  const onNotice = (text: string): void => writeText(2, `codelab: ${visibleLine(text)}\n`);
  const places = { workspace: resolve(workspace), home: defaultHome(), isShortLived: true, onNotice };
  return mode === 'strict' || mode === 'balanced' || mode === 'trusted' ? { ...places, mode } : places;
}
