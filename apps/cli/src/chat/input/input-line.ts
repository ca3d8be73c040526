// The input line of a running chat: the value of the moment, with the history and the paths it is completed from.
import type { Key } from 'node:readline';
import { type Draft, draftOf, emptyDraft, paste, wholeText } from './draft.ts';
import type { History } from './history.ts';
import { createPathList } from './path-list.ts';
import { heedKey, type PromptInput, promptWith, sentBy, suggestionsFor } from './prompt-input.ts';
import { type Known, type Suggestion, wantedPath } from './suggest.ts';

export type InputLine = {
  readonly isEmpty: boolean;
  readonly shown: { draft: Draft; suggestions: readonly Suggestion[]; chosen: number };
  /** Whether the key meant something to it. */
  heed(key: Key): boolean;
  paste(text: string): void;
  set(text: string): void;
  /** What was typed, whole; remembered, and the line is empty afterwards. */
  send(): string;
  /** Files may have come and gone. */
  forgetPaths(): void;
};

type Options = {
  history: History;
  commands(): Known['commands'];
  root(): string | undefined;
  onChange(): void;
};

export function createInputLine({ history, commands, root, onChange }: Options): InputLine {
  const paths = createPathList(onChange);
  const around = () => ({ commands: commands(), paths: paths.known, history: history.entries });
  let input = promptWith(emptyDraft);
  function become(next: PromptInput): void {
    input = next;
    const { text, cursor } = next.draft;
    const folder = root();
    if (folder !== undefined && wantedPath(text.slice(0, cursor)) !== undefined) paths.want(folder);
    onChange();
  }
  return {
    get isEmpty() {
      return input.draft.text === '';
    },
    get shown() {
      return { draft: input.draft, suggestions: suggestionsFor(input, around()), chosen: input.chosen };
    },
    heed(key) {
      const next = heedKey(input, key, around());
      if (next !== undefined) become(next);
      return next !== undefined;
    },
    paste: (text) => become(promptWith(paste(input.draft, text))),
    set: (text) => become(promptWith(draftOf(text))),
    send() {
      const text = wholeText(sentBy(input, around()));
      become(promptWith(emptyDraft));
      history.add(text);
      return text.trim();
    },
    forgetPaths: () => paths.forget(),
  };
}
