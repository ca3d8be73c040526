// The whole change of one call, in a tab: each file before and after.
import type { CallDiff, FileDiff } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { UnifiedDiff } from '../../diff/unified-diff.tsx';
import { errorMessage } from '../../error-help.ts';
import { currentText, useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { ViewProps } from '../../view.ts';
import { FileIcon } from '../files/file-icon.tsx';
import { openFile } from '../files/open-file.ts';
import { LineCounts } from './change-labels.tsx';
import { useRevealedFile } from './changes-store.ts';

/** `param` is the session and the call, with a slash between. */
export function ChangeDetailView({ param }: ViewProps) {
  const text = useViewText();
  const { found, problem } = useCallDiff(param);
  if (problem !== '') return <p className="p-4 text-bad">{problem}</p>;
  if (found === undefined)
    return (
      <div className="p-4">
        <Spinner label={text.frame.loading} />
      </div>
    );
  return (
    <article className="flex flex-col gap-4 p-4">
      <h2 className="font-semibold wrap-anywhere">{visibleLine(found.summary)}</h2>
      {found.files.map((file) => (
        <FileChange key={file.path} of={param} file={file} />
      ))}
    </article>
  );
}

function FileChange({ of, file }: { of: string; file: FileDiff }) {
  const words = useViewText().changes;
  const box = useRef<HTMLElement>(null);
  const isWanted = useRevealedFile((wanted) => wanted.of === of && wanted.path === file.path);
  const count = useRevealedFile((wanted) => wanted.count);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again, it is brought into view again.
  useEffect(() => {
    if (isWanted) box.current?.scrollIntoView({ block: 'start' });
  }, [isWanted, count]);
  const { path, from, op, diff, added, removed, gone } = file;
  const note = gone ?? (file.binary ? words.binary : diff === '' ? words.noDiff : undefined);
  return (
    <section
      ref={box}
      aria-label={visibleLine(path)}
      data-wanted={isWanted || undefined}
      className="scroll-mt-4 overflow-hidden rounded-large border border-line data-wanted:border-accent/60"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-2 border-b border-line bg-canvas px-3 py-1">
        <FileIcon name={path} isFolder={op === 'mkdir'} />
        <span className="min-w-0 flex-1 font-mono text-small wrap-anywhere">
          {from !== undefined && <span className="text-muted">{visibleLine(from)} → </span>}
          {visibleLine(path)}
        </span>
        <span className="text-small text-muted">{words.op[op]}</span>
        <LineCounts added={added} removed={removed} />
        {op !== 'delete' && op !== 'mkdir' && (
          <Button size="small" tone="quiet" onClick={() => openFile(path)}>
            {words.openFile}
          </Button>
        )}
      </header>
      {note === undefined ? (
        <UnifiedDiff text={diff} label={visibleLine(path)} hasFileNames={false} className="max-h-[70dvh]" />
      ) : (
        <p className="p-3 text-muted">{note}</p>
      )}
      {file.truncated === true && <p className="p-2 text-small text-warn">{words.truncated}</p>}
    </section>
  );
}

function useCallDiff(param: string): { found: CallDiff | undefined; problem: string } {
  const [state, setState] = useState<{ found: CallDiff | undefined; problem: string }>({
    found: undefined,
    problem: '',
  });
  useEffect(() => {
    const at = param.indexOf('/');
    let isCurrent = true;
    setState({ found: undefined, problem: '' });
    api.changes
      .diff(param.slice(0, at), param.slice(at + 1))
      .then((found) => isCurrent && setState({ found, problem: '' }))
      .catch((error: unknown) => {
        const problem = errorMessage(error, currentText());
        if (isCurrent) setState({ found: undefined, problem });
      });
    return () => {
      isCurrent = false;
    };
  }, [param]);
  return state;
}
