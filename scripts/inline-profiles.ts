/** esbuild plugin: puts the built-in profiles into the bundle, which has no folder to read them from. */
import type { Plugin } from 'esbuild';
import { builtInProfiles } from '../packages/agent/src/profiles/built-in-profiles.ts';

export const inlineProfiles: Plugin = {
  name: 'inline-profiles',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]built-in-profiles\.ts$/ }, () => ({
      contents: `export const builtInProfiles = () => (${JSON.stringify(builtInProfiles())});`,
    }));
  },
};
