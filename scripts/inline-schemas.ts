/** esbuild plugin: writes the JSON Schemas of the tools' inputs into the bundle, so that no start-up has to make them. */
import type { Plugin } from 'esbuild';
import { describeInput, findDialect } from '../packages/dialects/src/index.ts';

export const inlineSchemas: Plugin = {
  name: 'inline-schemas',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dialects[\\/]src[\\/]shared[\\/]known-inputs\.ts$/ }, () => {
      const schemas = Object.fromEntries(
        findDialect('codelab').tools.map((row) => [row.name, describeInput(row)]),
      );
      // Parsed when it is used: JSON is read several times faster than the same text as code.
      return {
        contents: `export const knownInputs = JSON.parse(${JSON.stringify(JSON.stringify(schemas))});`,
      };
    });
  },
};
