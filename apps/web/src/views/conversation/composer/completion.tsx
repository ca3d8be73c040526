// Files and commands that fit what is being typed, and the list to choose from.
import type { SlashCommand } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { useEffect, useState } from 'react';
import { sessionFiles } from '../../../session/session-files.ts';
import type { UiTexts } from '../../../text/en.ts';
import { useText } from '../../../text/use-text.ts';
import { cx } from '../../../ui/cx.ts';
import { loadCommands, useCatalogue } from './catalogue-store.ts';
import { slashCommands } from './commands.ts';

/** The list above the composer. The field keeps the focus and names the chosen line. */
type Props = { completion: Completion; onPick(at: number): void };

export function CompletionList({ completion: { wish, found, chosen }, onPick }: Props) {
  const words = useText().conversation;
  if (wish === undefined || found.length === 0) return null;
  return (
    <div
      id="completion"
      role="listbox"
      aria-label={{ file: words.files, command: words.commands, model: words.model }[wish.type]}
      className="absolute inset-x-0 bottom-full z-20 mb-1 max-h-64 overflow-auto rounded-large border border-line bg-raised p-1 shadow-floating"
    >
      {found.map(({ insert, hint }, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, after the combobox pattern.
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen line.
        <div
          key={insert}
          id={`completion-${at}`}
          role="option"
          aria-selected={at === chosen}
          // The field must not lose the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(at)}
          className={cx(
            'flex cursor-pointer items-baseline gap-3 rounded-base px-2 py-1',
            at === chosen ? 'bg-selected' : 'hover:bg-hover',
          )}
        >
          <span
            className={cx('min-w-0 truncate font-mono text-small', wish.type === 'command' && 'two:min-w-24')}
          >
            {visibleLine(insert.trim())}
          </span>
          <span className="min-w-0 flex-1 truncate text-small text-muted">{hint}</span>
        </div>
      ))}
    </div>
  );
}

/** The list of what fits at the caret, and which line of it is chosen. */
type Suggestion = { insert: string; hint: string };
export type Completion = {
  wish: Wish | undefined;
  found: readonly Suggestion[];
  chosen: number;
  choose(at: number): void;
  look(text: string, caret: number): void;
  close(): void;
};

const waitMs = 100;

export function useCompletion(): Completion {
  const words = useText().conversation;
  const [wish, setWish] = useState<Wish | undefined>();
  const [files, setFiles] = useState<readonly string[]>([]);
  const [chosen, choose] = useState(0);
  const query = wish?.type === 'file' ? wish.query : undefined;
  useEffect(() => {
    setFiles((known) => (query === undefined ? [] : known));
    if (query === undefined) return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      sessionFiles
        .find(query, 20, ending.signal)
        .then(setFiles)
        // No list is no harm: the name can be typed.
        .catch(() => undefined);
    }, waitMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [query]);
  const { commands, models } = useCatalogue();
  const isCommand = wish?.type === 'command';
  useEffect(() => {
    if (isCommand) void loadCommands();
  }, [isCommand]);
  const found: Suggestion[] =
    wish?.type === 'command'
      ? commandsFor(wish.query, commands, words)
      : wish?.type === 'model'
        ? models
            .filter(({ name }) => name.toLowerCase().includes(wish.query.toLowerCase()))
            .map(({ name, label }) => ({ insert: name, hint: label === name ? '' : label }))
        : files.map((path) => ({ insert: `@${path} `, hint: '' }));
  return {
    wish,
    found: wish === undefined ? [] : found,
    chosen: Math.min(chosen, Math.max(0, found.length - 1)),
    choose,
    look(text, caret) {
      const next = completionAt(text, caret);
      if (next?.query !== wish?.query || next?.type !== wish?.type) choose(0);
      setWish(next);
    },
    close: () => setWish(undefined),
  };
}

function commandsFor(
  query: string,
  custom: readonly SlashCommand[],
  words: UiTexts['conversation'],
): Suggestion[] {
  const built = slashCommands.map(({ name, about, takesRest }) => ({
    insert: name,
    hint: about(words),
    takesRest,
  }));
  const others = custom
    .map(({ name, description, kind, source, arguments: names }) => ({
      insert: `/${name}`,
      hint: `${names.map((argument) => `${argument.toUpperCase()} `).join('')}${description} · ${words.kinds[kind]}${source === 'workspace' ? `, ${words.ofWorkspace}` : ''}`,
      takesRest: true,
    }))
    .filter(({ insert }) => !built.some((command) => command.insert === insert));
  return [...built, ...others]
    .filter(({ insert }) => insert.startsWith(query))
    .map(({ insert, hint }) => ({ insert, hint: visibleLine(hint) }));
}

// The completion at the caret: a command at the very beginning, a model after `/model`, or a file after an @.
type Wish = { type: 'command' | 'file' | 'model'; query: string; from: number; to: number };

export function completionAt(text: string, caret: number): Wish | undefined {
  const before = text.slice(0, caret);
  if (/^\/[a-z0-9-]*$/.test(before)) return { type: 'command', query: before, from: 0, to: caret };
  const model = /^\/model\s+(\S*)$/.exec(before)?.[1];
  if (model !== undefined) return { type: 'model', query: model, from: caret - model.length, to: caret };
  const found = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (found === null) return undefined;
  const query = found[1] ?? '';
  return { type: 'file', query, from: caret - query.length - 1, to: caret };
}
