// Shown when the file on the disk differs from the version that the edits are based on: shows both, and a person chooses.
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { UnifiedDiff } from '../../diff/unified-diff.tsx';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { keepMine, mine, takeTheirs } from './keep-file.ts';
import { lineDiff } from './line-diff.ts';
import type { OnDisk } from './open-files.ts';

export function ConflictBanner({ path, theirs }: { path: string; theirs: OnDisk | 'deleted' }) {
  const words = useViewText().editor;
  const [diff, setDiff] = useState<string | undefined>();
  const isGone = theirs === 'deleted';
  const toggle = (): void =>
    setDiff(diff === undefined && !isGone ? lineDiff(path, theirs.text, mine(path)) : undefined);
  return (
    <div role="alert" className="shrink-0 border-b border-warn/40 bg-warn-soft">
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <TriangleAlert aria-hidden className="size-4 shrink-0 text-warn" />
        <p className="min-w-40 flex-1">{isGone ? words.deleted : words.conflict}</p>
        {!isGone && (
          <Button size="small" aria-expanded={diff !== undefined} onClick={toggle}>
            {diff === undefined ? words.showDifference : words.hideDifference}
          </Button>
        )}
        {!isGone && (
          <Button size="small" onClick={() => takeTheirs(path)}>
            {words.takeTheirs}
          </Button>
        )}
        <Button size="small" tone="strong" onClick={() => void keepMine(path)}>
          {isGone ? words.makeAgain : words.keepMine}
        </Button>
      </div>
      {diff !== undefined && (
        <div className="border-t border-warn/40 bg-surface">
          <p className="px-3 py-1 text-small text-muted">{words.difference}</p>
          <UnifiedDiff text={diff} label={words.difference} hasFileNames={false} className="max-h-[35dvh]" />
        </div>
      )}
    </div>
  );
}
