// The input of a running chat: the current value, with the history and the paths for completion.
import type { Key } from 'node:readline';
import { type Draft, draftText, emptyDraft, paste, toDraft } from './draft.ts';
import type { History } from './history.ts';
import type { HistorySearch } from './history-search.ts';
import { createPathList, type PathList } from './path-list.ts';
import {
  applyKey,
  type PromptInput,
  type PromptSources,
  promptWith,
  submittedDraft,
  suggestionsFor,
} from './prompt-input.ts';
import { pathPrefix, type Suggestion, type SuggestionSources } from './suggest.ts';

export type InputLine = {
  readonly isEmpty: boolean;
  readonly isSearching: boolean;
  readonly shown: {
    draft: Draft;
    suggestions: readonly Suggestion[];
    chosen: number;
    search: HistorySearch | undefined;
  };
  /** Whether the input used the key. */
  heed(key: Key): boolean;
  paste(text: string): void;
  set(text: string): void;
  /** Clears the input; the text stays in the history. */
  discard(): void;
  /** Puts a text before the current one, so that neither is lost. */
  fill(text: string): void;
  /** The text of the input, with pastes in full. */
  readonly text: string;
  /** Returns the text with pastes in full, adds it to the history and clears the input. */
  send(): string;
  /** Drops the list of paths: files may have been created or deleted. */
  forgetPaths(): void;
};

type Options = {
  history: History;
  commands(): SuggestionSources['commands'];
  /** The names that `@skill:` completes. */
  skills?(): readonly string[];
  root(): string | undefined;
  onChange(): void;
};

export function createInputLine(options: Options): InputLine {
  const { history, root, onChange } = options;
  const paths = createPathList(onChange);
  const around = (): PromptSources => promptSources(options, paths.known);
  let input = promptWith(emptyDraft);
  function become(next: PromptInput): void {
    input = next;
    const { text, cursor } = next.draft;
    const folder = root();
    if (folder !== undefined && pathPrefix(text.slice(0, cursor)) !== undefined) paths.want(folder);
    onChange();
  }
  return {
    get isEmpty() {
      return input.draft.text === '';
    },
    get isSearching() {
      return input.search !== undefined;
    },
    get shown() {
      const { draft, chosen, search } = input;
      return { draft, suggestions: suggestionsFor(input, around()), chosen, search };
    },
    get text() {
      return draftText(input.draft);
    },
    heed(key) {
      const next = applyKey(input, key, around());
      if (next !== undefined) become(next);
      return next !== undefined;
    },
    paste: (text) => become(promptWith(paste(input.draft, text))),
    fill(text) {
      if (text !== '') become(promptWith(prepend(text, input.draft)));
    },
    discard() {
      history.add(draftText(input.draft));
      become(promptWith(emptyDraft));
    },
    set: (text) => become(promptWith(toDraft(text))),
    send() {
      const text = draftText(submittedDraft(input, around()));
      become(promptWith(emptyDraft));
      history.add(text);
      return text.trim();
    },
    forgetPaths: () => paths.forget(),
  };
}

function promptSources({ history, commands, skills }: Options, files: PathList['known']): PromptSources {
  const named = skills?.().map((name) => `skill:${name}`) ?? [];
  return { commands: commands(), paths: files && [...files, ...named], history: history.entries };
}

/** The text before the current one, on a line of its own. The cursor keeps its place in the draft. */
function prepend(text: string, draft: Draft): Draft {
  const before = toDraft(draft.text === '' ? text : `${text}\n`);
  return { ...draft, text: before.text + draft.text, cursor: before.text.length + draft.cursor };
}
