// The search of seed 004's agent runtime.
import { search } from '../rows/search.ts';
import { rootedPaths } from './rooted-paths.ts';

export const searchInCode = search(rootedPaths, {
  name: 'search_in_code',
  match: ({ file, line, column, match, text }) => ({
    file,
    line,
    column,
    matched_text: match,
    line_content: text,
  }),
  total: 'total_matches',
});
