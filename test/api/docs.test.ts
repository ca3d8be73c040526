import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routeTable } from '@codelab/api';
import { expect, test } from 'vitest';
import { httpDoc } from '../../scripts/api-doc.ts';

const text = readFileSync(join(import.meta.dirname, '../..', 'docs', 'http.md'), 'utf8');
const routes = Object.values(routeTable).flat();

/** Parameters have other names in prose. */
const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}').replace(/(?<=.)\/$/, '');
const known = new Set(
  routes.flatMap(({ method, path, also = [] }) =>
    [path, ...also].map((routePath) => `${method} ${shape(routePath)}`),
  ),
);

test('docs/http.md ends with every route of the table', () => {
  expect(text, 'run node scripts/api-doc.ts').toBe(httpDoc());
});

test('every address that docs/http.md names is a route', () => {
  const prose = text.slice(0, text.indexOf('\n## All routes\n'));
  // Some sections leave out what all of their addresses begin with.
  const bases = ['', '/api/v1/', '/api/v1/sessions', '/api/v1/sessions/', '/my/projects/{pid}/'];
  const mentioned = [...prose.matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([^\s`…]*)/g)].map(
    ([, method, address = '']) => ({
      method,
      // The part after the path is a query, or a body.
      path: address.replace(/\?.*$|^\{\w+[?,].*$/, ''),
    }),
  );
  expect(mentioned.length).toBeGreaterThan(40);
  const unknown = mentioned.filter(
    ({ method, path }) => !bases.some((base) => known.has(`${method} ${shape(base + path)}`)),
  );
  expect(unknown).toEqual([]);
});

test('no two routes answer at the same address, and every id is one of its own', () => {
  expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
  const all = routes.flatMap(({ method, path, also = [] }) =>
    [path, ...also].map((routePath) => `${method} ${routePath}`),
  );
  expect(all.filter((route, i) => all.indexOf(route) !== i)).toEqual([]);
});
