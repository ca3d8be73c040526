// The completions at the cursor: a command at the beginning, or a file after an `@`.
import { type Draft, insert } from './draft.ts';

export type Suggestion = { label: string; hint?: string; from: number; text: string };
export type SuggestionSources = {
  commands: readonly { name: string; words: string; summary: string }[];
  /** Undefined while the paths are not read yet. */
  paths: readonly string[] | undefined;
};

const maxSuggestions = 8;
const fileMark = /(?:^|[\s(])@("[^"\n]*|[^\s"'`<>()[\]{},;@]*)$/u;

export function suggest({ text, cursor }: Draft, { commands, paths }: SuggestionSources): Suggestion[] {
  const beforeCursor = text.slice(0, cursor);
  const command = /^\/([a-z0-9-]*)$/i.exec(beforeCursor);
  if (command !== null) {
    const [, start = ''] = command;
    return commands
      .filter(({ name }) => name.startsWith(start.toLowerCase()))
      .map(({ name, words, summary }) => ({
        label: `/${name} ${words}`.trimEnd(),
        hint: summary,
        from: 0,
        text: `/${name}${words === '' ? '' : ' '}`,
      }));
  }
  const query = pathPrefix(beforeCursor);
  if (query === undefined || paths === undefined) return [];
  return best(paths, query.replace(/^"/, '')).map((path) => ({
    label: path,
    from: cursor - query.length,
    text: mention(path),
  }));
}

/** The text between the `@` and the cursor. */
export function pathPrefix(beforeCursor: string): string | undefined {
  return fileMark.exec(beforeCursor)?.[1];
}

export function accept(draft: Draft, { from, text }: Suggestion): Draft {
  const { cursor } = draft;
  const without = { ...draft, text: draft.text.slice(0, from) + draft.text.slice(cursor), cursor: from };
  return insert(without, text);
}

// A completed folder ends in a slash without a space, so that its files can be completed next.
function mention(path: string): string {
  const end = path.endsWith('/') ? '' : ' ';
  return /[\s"'`<>()[\]{},;@]/.test(path) ? `"${path}"${end}` : path + end;
}

function best(paths: readonly string[], query: string): string[] {
  const lowerQuery = query.toLowerCase();
  const ranked: string[][] = [[], [], [], []];
  for (const path of paths) {
    const rank = rankOf(path.toLowerCase(), lowerQuery);
    if (rank !== undefined && (ranked[rank]?.length ?? maxSuggestions) < maxSuggestions)
      ranked[rank]?.push(path);
  }
  return ranked.flat().slice(0, maxSuggestions);
}

function rankOf(path: string, query: string): number | undefined {
  if (path.startsWith(query)) return 0;
  const name = path.slice(path.lastIndexOf('/', path.length - 2) + 1);
  if (name.startsWith(query)) return 1;
  if (name.includes(query)) return 2;
  return path.includes(query) ? 3 : undefined;
}
