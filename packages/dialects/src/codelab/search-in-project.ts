// Seed 000's search.
import { plainPaths } from '../plain-paths.ts';
import { search } from '../rows/search.ts';

export const searchInProject = search(plainPaths, {
  name: 'search_in_project',
  match: ({ file, line, column, text }) => ({ file, line, column, text }),
  total: 'total',
});
