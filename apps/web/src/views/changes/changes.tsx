// The changes of this session, to view and to undo; and deleted files.
import { Eye, Redo2, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { shortcuts } from '../../keys.ts';
import { currentSession } from '../../session/current-session.ts';
import { useViewText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { openSessionReview } from '../session-review/scope-store.ts';
import { ChangeList } from './change-list.tsx';
import { readChanges, readTrash, requestUndo, useChangesStore } from './changes-store.ts';
import { TrashList } from './trash-list.tsx';

type Section = 'list' | 'trash';

export function ChangesView() {
  const words = useViewText().changes;
  const [section, setSection] = useState<Section>('list');
  // A button that could only say that there is nothing to redo is not shown.
  const canRedo = useChangesStore(({ turns = [] }) =>
    turns.some(({ calls }) => calls.some(({ files }) => files.some(({ state }) => state === 'undone'))),
  );
  const redo = (): void => requestUndo({ verb: 'redo', what: words.redoLast });
  return (
    <section aria-label={words.name} className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-1.5">
        <SectionSwitch section={section} onChange={setSection} />
        <IconButton
          size="small"
          icon={Eye}
          label={words.review}
          shortcut={shortcuts['review.open']}
          onClick={() => openSessionReview(currentSession(), null)}
        />
        {canRedo && (
          <IconButton
            size="small"
            icon={Redo2}
            label={words.redoLast}
            shortcut={shortcuts['changes.redo']}
            onClick={redo}
          />
        )}
        <IconButton
          size="small"
          icon={RefreshCw}
          label={words.refresh}
          onClick={() => void (section === 'list' ? readChanges(currentSession()) : readTrash())}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-auto">
        {section === 'list' ? <ChangeList /> : <TrashList />}
      </div>
    </section>
  );
}

type SwitchProps = { section: Section; onChange(section: Section): void };

function SectionSwitch({ section, onChange }: SwitchProps) {
  const words = useViewText().changes;
  return (
    <fieldset className="flex flex-1 gap-1">
      <legend className="sr-only">{words.sections}</legend>
      {(['list', 'trash'] as const).map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={section === choice}
          onClick={() => onChange(choice)}
          className={cx(
            'h-6 rounded-full border px-2.5 text-small',
            section === choice
              ? 'border-accent/40 bg-accent-soft font-medium text-accent'
              : 'border-transparent text-muted hover:bg-hover',
          )}
        >
          {choice === 'list' ? words.name : words.trash}
        </button>
      ))}
    </fieldset>
  );
}
