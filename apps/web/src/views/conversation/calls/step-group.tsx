// Reading steps, folded into one line; unfolded, each of them.
import { ChevronRight, Eye } from 'lucide-react';
import { useId } from 'react';
import { useSession, useSessionStore } from '../../../session/session-store.ts';
import { useText } from '../../../text/use-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { useCatalogue } from '../composer/catalogue-store.ts';
import { type GroupFacts, groupFacts } from '../conversation-rows.ts';
import { useOpen } from '../kept-place.ts';
import { CallCard } from './call-card.tsx';
import { CallStateMark, titleOf } from './call-labels.tsx';

export function StepGroup({ start, end }: { start: number; end: number }) {
  const id = useId();
  const words = useText().conversation;
  const ids = useCallIds(start, end);
  const { files, folders, others, searches, failed, running } = useGroupFacts(ids);
  const [isOpen, toggle] = useOpen(`group ${ids[0]}`, false);
  const counts = [
    files > 0 && words.readFiles(files),
    folders > 0 && words.listedFolders(folders),
    others > 0 && words.lookedUp(others),
    searches > 0 && words.searched(searches),
  ];
  return (
    <section
      aria-labelledby={id}
      className={cx(
        'overflow-hidden rounded-base border',
        isOpen || running ? 'border-line bg-raised' : 'border-transparent',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex w-full items-center gap-2 px-2.5 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-3.5 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        <Eye aria-hidden className="size-4 shrink-0 text-muted" />
        <span id={id} className="shrink-0">
          {sentence(counts.filter(Boolean).join(words.comma))}
        </span>
        <span className="min-w-0 flex-1 truncate text-muted">{running && titleOf(running)}</span>
        {failed > 0 && <Badge tone="bad">{words.stepsFailed(failed)}</Badge>}
        {running && <Spinner className="size-3.5 text-accent" />}
        {!running && failed === 0 && <CallStateMark state="completed" />}
      </button>
      {isOpen && (
        <div className="flex flex-col gap-1.5 border-t border-line p-2">
          {ids.map((callId) => (
            <CallCard key={callId} callId={callId} />
          ))}
        </div>
      )}
    </section>
  );
}

function useCallIds(start: number, end: number): readonly string[] {
  return useSession(({ entries }) =>
    entries
      .slice(start, end)
      .flatMap((entry) => (entry.kind === 'call' ? [entry.callId] : []))
      .join(' '),
  ).split(' ');
}

function useGroupFacts(ids: readonly string[]): GroupFacts {
  const kinds = useCatalogue((catalogue) => catalogue.kinds);
  useSessionStore((state) => state.version);
  return groupFacts(ids, { calls: useSessionStore.getState().model.calls, kinds });
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
