// Confirms an undo: the files and their diff, and the files that prevent it, with reasons.
import type { UndoResult } from '@codelab/api';
import { visible, visibleLine } from '@codelab/protocol';
import { TriangleAlert } from 'lucide-react';
import { UnifiedDiff } from '../../diff/unified-diff.tsx';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { requestUndo, useUndoRequest } from './changes-store.ts';
import { type UndoProgress, useUndo } from './use-undo.ts';

export function UndoDialog() {
  const text = useViewText();
  const words = text.changes;
  const wanted = useUndoRequest((state) => state.wanted);
  const close = (): void => requestUndo(undefined);
  const taking = useUndo(wanted, close);
  const { preview, problem, isForced, isRunning, run } = taking;
  const ready = preview?.files.filter(({ state }) => state === 'ready') ?? [];
  const isUndo = wanted?.verb !== 'redo';
  return (
    <Dialog
      size="large"
      title={isUndo ? words.undoTitle : words.redoTitle}
      isOpen={wanted !== undefined}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{words.cancel}</Button>
          <Button
            tone={isForced ? 'danger' : 'strong'}
            disabled={ready.length === 0 || isRunning}
            onClick={run}
          >
            {isForced ? words.forceSure : isUndo ? words.undo : words.redo}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="font-medium wrap-anywhere">{visibleLine(wanted?.what ?? '')}</p>
        {problem !== '' && <p className="text-bad">{problem}</p>}
        {preview === undefined && problem === '' && <Spinner label={text.frame.loading} />}
        {preview !== undefined && <Preview preview={preview} taking={taking} />}
      </div>
    </Dialog>
  );
}

function Preview({ preview, taking }: { preview: UndoResult; taking: UndoProgress }) {
  const words = useViewText().changes;
  const refused = preview.files.filter(({ state }) => state === 'refused');
  const ready = preview.files.filter(({ state }) => state !== 'refused');
  return (
    <>
      {ready.length > 0 && (
        <section>
          <p className="pb-1 text-small text-muted">{words.preview}</p>
          <ul className="flex max-h-40 flex-col gap-0.5 overflow-auto">
            {ready.map(({ path, action }) => (
              <li key={path} className="flex flex-wrap items-baseline gap-x-2">
                <span className="min-w-0 font-mono text-small wrap-anywhere">{visibleLine(path)}</span>
                <span className="text-small text-muted">{actionWord(action, words.action)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {refused.length > 0 && <Refused files={refused} taking={taking} />}
      {taking.isForced && <p className="text-small text-bad">{words.forceWarning}</p>}
      {preview.diff !== undefined && preview.diff !== '' && (
        <UnifiedDiff
          text={preview.diff}
          label={words.preview}
          className="max-h-[38dvh] rounded-base border border-line"
        />
      )}
      {preview.truncated === true && <p className="text-small text-warn">{words.truncated}</p>}
    </>
  );
}

function Refused({ files, taking }: { files: UndoResult['files']; taking: UndoProgress }) {
  const words = useViewText().changes;
  return (
    <section className="rounded-base border border-warn/40 bg-warn-soft p-3">
      <h3 className="flex items-center gap-2 font-medium text-warn">
        <TriangleAlert aria-hidden className="size-4" />
        {words.refusedTitle(files.length)}
      </h3>
      <ul className="flex max-h-40 flex-col gap-1 overflow-auto py-2">
        {files.map(({ path, why = '' }) => (
          <li key={path}>
            <span className="font-mono text-small wrap-anywhere">{visibleLine(path)}</span>
            <span className="block text-small text-muted">{visible(why)}</span>
          </li>
        ))}
      </ul>
      <p className="text-small text-muted">{words.refusedHint}</p>
      {!taking.isForced && (
        <Button size="small" tone="danger" className="mt-2" onClick={() => taking.force(true)}>
          {words.force}
        </Button>
      )}
    </section>
  );
}

function actionWord(action: string, words: Record<string, string>): string {
  return Object.hasOwn(words, action) ? (words[action] ?? action) : action;
}
