// Search in the project: a text or a pattern, in all files or in some, and the matching lines by file.
import type { SearchMatch } from '@codelab/api';
import { CaseSensitive, Regex, SearchX } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { useViewText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/spinner.tsx';
import { FoundFile } from './found-file.tsx';
import { changeSearch, runSearch, showMoreFound, useSearch } from './search-store.ts';

export function SearchView() {
  const words = useViewText().search;
  return (
    <section aria-label={words.name} onKeyDown={moveFocus} className="flex h-full min-h-0 flex-col">
      <Fields />
      <Results />
    </section>
  );
}

const fieldLook =
  'h-7 w-full min-w-0 rounded-base border border-line bg-surface px-2 placeholder:text-faint focus-visible:-outline-offset-1';

function Fields() {
  const words = useViewText().search;
  const pattern = useSearch((search) => search.pattern);
  return (
    <search className="flex shrink-0 flex-col gap-1.5 px-2 pb-2 max-two:pt-2">
      <div className="relative">
        <QueryField />
        <span className="absolute top-0.5 right-0.5 flex">
          <QueryOptions />
        </span>
      </div>
      <input
        value={pattern}
        aria-label={words.pattern}
        placeholder={words.patternHint}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={({ target }) => changeSearch({ pattern: target.value })}
        className={fieldLook}
      />
    </search>
  );
}

function QueryField() {
  const words = useViewText().search;
  const { query, focusRequests } = useSearch();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusRequests === 0) return;
    // A dialog that closes just now gives the focus back first.
    const frame = requestAnimationFrame(() => field.current?.select());
    return () => cancelAnimationFrame(frame);
  }, [focusRequests]);
  return (
    <input
      ref={field}
      data-found
      type="search"
      value={query}
      aria-label={words.field}
      placeholder={words.field}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      onChange={({ target }) => changeSearch({ query: target.value })}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) void runSearch();
      }}
      className={`${fieldLook} pr-14`}
    />
  );
}

function QueryOptions() {
  const words = useViewText().search;
  const { isRegex, isCase } = useSearch();
  return (
    <>
      <IconButton
        size="small"
        icon={CaseSensitive}
        label={words.matchCase}
        isActive={isCase}
        aria-pressed={isCase}
        onClick={() => changeSearch({ isCase: !isCase })}
      />
      <IconButton
        size="small"
        icon={Regex}
        label={words.regex}
        isActive={isRegex}
        aria-pressed={isRegex}
        onClick={() => changeSearch({ isRegex: !isRegex })}
      />
    </>
  );
}

function Results() {
  const text = useViewText();
  const words = text.search;
  const { status, matches, isCut, problem, query } = useSearch();
  const files = useMemo(() => byFile(matches), [matches]);
  if (status === 'failed') return <p className="px-3 text-bad wrap-anywhere">{problem}</p>;
  if (query === '') return <p className="px-3 text-small text-muted">{words.hint}</p>;
  if (matches.length === 0)
    return status === 'done' ? (
      <EmptyState icon={SearchX} title={words.none} hint={words.noneHint} />
    ) : (
      <Spinner label={text.frame.loading} className="m-3" />
    );
  return (
    <>
      <p role="status" className="shrink-0 px-3 pb-1 text-tiny text-muted">
        {words.found(matches.length, files.length)}
      </p>
      <ul aria-label={words.results} className="min-h-0 flex-1 overflow-auto pb-2">
        {files.map(([path, lines]) => (
          <FoundFile key={path} path={path} lines={lines} />
        ))}
        {isCut && (
          <li className="p-2">
            <Button size="small" tone="quiet" onClick={showMoreFound}>
              {words.more}
            </Button>
          </li>
        )}
      </ul>
    </>
  );
}

function byFile(matches: readonly SearchMatch[]): [string, SearchMatch[]][] {
  return [...Map.groupBy(matches, ({ path }) => path)];
}

/** Arrows lead from the field into the results and through them. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-found]')];
  const at = stops.indexOf(event.target);
  const next = at === -1 ? undefined : stops[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
