// The input of a running chat: the current value, with the history and the paths for completion.
import type { Key } from 'node:readline';
import { type Draft, draftText, emptyDraft, paste, toDraft } from './draft.ts';
import { editDraft, moveLine } from './edit-draft.ts';
import type { History } from './history.ts';
import { foundBy, type HistorySearch, searchStep, startSearch } from './history-search.ts';
import { createPathList, type PathList } from './path-list.ts';
import { accept, pathPrefix, type Suggestion, type SuggestionSources, suggest } from './suggest.ts';

export type InputLine = {
  readonly isEmpty: boolean;
  readonly isSearching: boolean;
  readonly view: {
    draft: Draft;
    suggestions: readonly Suggestion[];
    selected: number;
    search: HistorySearch | undefined;
  };
  /** Whether the input used the key. */
  handleKey(key: Key): boolean;
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
  const sourcesNow = (): PromptSources => promptSources(options, paths.known);
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
    get view() {
      const { draft, selected, search } = input;
      return { draft, suggestions: suggestionsFor(input, sourcesNow()), selected, search };
    },
    get text() {
      return draftText(input.draft);
    },
    handleKey(key) {
      const next = applyKey(input, key, sourcesNow());
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
      const text = draftText(submittedDraft(input, sourcesNow()));
      become(promptWith(emptyDraft));
      history.add(text);
      return text.trim();
    },
    forgetPaths: () => paths.forget(),
  };
}

function promptSources({ history, commands, skills }: Options, files: PathList['known']): PromptSources {
  const skillMentions = skills?.().map((name) => `skill:${name}`) ?? [];
  return { commands: commands(), paths: files && [...files, ...skillMentions], history: history.entries };
}

/** The text before the current one, on a line of its own. The cursor keeps its place in the draft. */
function prepend(text: string, draft: Draft): Draft {
  const before = toDraft(draft.text === '' ? text : `${text}\n`);
  return { ...draft, text: before.text + draft.text, cursor: before.text.length + draft.cursor };
}

/** The input as an immutable value: the draft, the place in the history, and what Tab could complete. Each key returns a new one. */
export type PromptInput = {
  draft: Draft;
  /** The place in the history; the text typed before comes back at its end. */
  back: number;
  typedDraft: Draft;
  selected: number;
  hasChosen: boolean;
  isMenuShut: boolean;
  /** The running Ctrl-R search. */
  search?: HistorySearch;
};

export type PromptSources = SuggestionSources & { history: readonly string[] };

export function promptWith(draft: Draft): PromptInput {
  return { draft, back: 0, typedDraft: emptyDraft, selected: 0, hasChosen: false, isMenuShut: false };
}

export function suggestionsFor(
  { draft, back, isMenuShut, search }: PromptInput,
  sources: SuggestionSources,
): Suggestion[] {
  return isMenuShut || back > 0 || search !== undefined ? [] : suggest(draft, sources);
}

/** Undefined when the input does not use the key. */
export function applyKey(input: PromptInput, key: Key, sources: PromptSources): PromptInput | undefined {
  const { name = '', ctrl = false, meta = false, shift = false } = key;
  if (input.search !== undefined) return searchOn(input.search, key, sources);
  if (ctrl && name === 'r')
    return { ...promptWith(input.draft), search: startSearch(input.draft, sources.history) };
  if (name === 'return' && !meta) return enter(input, sources);
  if (name === 'tab') return shift ? undefined : complete(input, sources);
  if (!ctrl && !meta && (name === 'up' || name === 'down'))
    return move(input, name === 'up' ? -1 : 1, sources);
  if (ctrl && (name === 'p' || name === 'n')) return move(input, name === 'p' ? -1 : 1, sources);
  if (name === 'escape')
    return suggestionsFor(input, sources).length > 0 ? { ...input, isMenuShut: true } : undefined;
  const edited = editDraft(input.draft, key);
  return edited && promptWith(edited);
}

function searchOn(search: HistorySearch, key: Key, sources: PromptSources): PromptInput | undefined {
  const step = searchStep(search, key, sources.history);
  if ('search' in step) {
    const match = foundBy(step.search, sources.history);
    return { ...promptWith(match === undefined ? search.before : toDraft(match)), search: step.search };
  }
  const next = promptWith(step.draft);
  return step.isPassed ? (applyKey(next, key, sources) ?? next) : next;
}

/** The text that Enter sends. A prefix of a command is enough. */
export function submittedDraft(input: PromptInput, sources: SuggestionSources): Draft {
  const { text } = input.draft;
  const suggestions = text.startsWith('/') ? suggestionsFor(input, sources) : [];
  const isWhole = suggestions.some((suggestion) => suggestion.text.trim() === text);
  return isWhole && !input.hasChosen
    ? input.draft
    : (complete(input, { ...sources, paths: [] })?.draft ?? input.draft);
}

function enter(input: PromptInput, sources: SuggestionSources): PromptInput | undefined {
  const { draft, hasChosen } = input;
  const { text, cursor } = draft;
  if (cursor === text.length && /(?<!\\)(?:\\\\)*\\$/.test(text))
    return promptWith({ ...draft, text: `${text.slice(0, -1)}\n` });
  // Enter completes a file only when the user selected it with the arrows.
  return hasChosen && !text.startsWith('/') ? complete(input, sources) : undefined;
}

function complete(input: PromptInput, sources: SuggestionSources): PromptInput | undefined {
  const suggestion = suggestionsFor(input, sources)[input.selected];
  return suggestion && promptWith(accept(input.draft, suggestion));
}

function move(input: PromptInput, by: -1 | 1, sources: PromptSources): PromptInput {
  const { length } = suggestionsFor(input, sources);
  if (length > 0) return { ...input, selected: (input.selected + by + length) % length, hasChosen: true };
  const draft = moveLine(input.draft, by);
  return draft === undefined ? browse(input, by, sources.history) : { ...input, draft };
}

function browse(input: PromptInput, by: -1 | 1, history: readonly string[]): PromptInput {
  const back = input.back - by;
  if (back < 0 || back > history.length) return input;
  const typedDraft = input.back === 0 ? input.draft : input.typedDraft;
  const draft = back === 0 ? typedDraft : toDraft(history.at(-back) ?? '');
  return { ...promptWith(draft), back, typedDraft };
}
