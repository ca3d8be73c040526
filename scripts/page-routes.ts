/**
 * Vite plugin: the page has the routes without their schemas. It talks to the gateway that served it, which checks what it is sent and
 * answers as its routes define; schemas and their library would be a tenth of the first load.
 */
import type { Plugin } from 'vite';
import type { Route } from '../packages/api/src/index.ts';

export const pageRoutes: Plugin = {
  name: 'page-routes',
  load: {
    filter: { id: /[\\/]packages[\\/]api[\\/]src[\\/]routes[\\/][\w-]+\.ts$/ },
    async handler(id) {
      const exported = (await import(new URL(`file:///${id.replace(/^\//, '')}`).href)) as Exports;
      return Object.entries(exported)
        .map(([name, value]) => `export const ${name} = ${spell(value)};\n`)
        .join('');
    },
  },
};

type RouteArea = Readonly<Record<string, Route>>;
type Exports = Readonly<Record<string, RouteArea | string | (() => unknown)>>;

/** What a client needs of each route. Of its answer it needs to know that there is one. */
function spell(exported: Exports[string]): string {
  if (typeof exported === 'function') return noSchema;
  if (typeof exported === 'string') return JSON.stringify(exported);
  const routes = Object.entries(exported).map(([name, { id, method, path, isBodyOptional, answer }]) => [
    name,
    { id, method, path, isBodyOptional, answer: answer && true },
  ]);
  return JSON.stringify(Object.fromEntries(routes));
}

const noSchema = `() => { throw new Error('The page has no schemas.'); }`;
