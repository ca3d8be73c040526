/** esbuild plugin: writes the JSON Schemas of the tools' inputs into the bundle, so that no start-up has to make them. */
import type { Plugin } from 'esbuild';
import { catalogue, inputSchema } from '../packages/runtime/src/index.ts';

export const inlineSchemas: Plugin = {
  name: 'inline-schemas',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]runtime[\\/]src[\\/]known-schemas\.ts$/ }, () => {
      const schemas = Object.fromEntries(catalogue.map((tool) => [tool.name, inputSchema(tool.input())]));
      // Parsed when it is used: JSON is read several times faster than the same text as code.
      return {
        contents: `export const knownSchemas = JSON.parse(${JSON.stringify(JSON.stringify(schemas))});`,
      };
    });
  },
};
