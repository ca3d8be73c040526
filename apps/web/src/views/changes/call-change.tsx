// The files that one call changed, with buttons that show the diff and undo it.
import type { ChangedCall, ChangedFile } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { Undo2 } from 'lucide-react';
import { showView } from '../../layout/show-view.ts';
import { currentSession } from '../../session/current-session.ts';
import { takenBackWords, useViewText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { FileIcon } from '../files/file-icon.tsx';
import { LineCounts, StateBadge } from './change-labels.tsx';
import { requestUndo, revealFile } from './changes-store.ts';

const mostShown = 8;

export function CallChange({ call }: { call: ChangedCall }) {
  const words = useViewText().changes;
  const summary = visibleLine(call.summary);
  const open = (path?: string): void => {
    const target = `${currentSession()}/${call.call_id}`;
    showView('change', target, summary);
    if (path !== undefined) revealFile(target, path);
  };
  return (
    <li
      data-change={call.call_id}
      className={cx(
        'group flex items-start gap-1 rounded-base border border-line bg-raised pr-1',
        call.state !== 'done' && 'opacity-80',
      )}
    >
      <div className="flex min-w-0 flex-1 flex-col py-1">
        {call.files.slice(0, mostShown).map((file) => (
          <FileLine key={file.path} file={file} onOpen={() => open(file.path)} />
        ))}
        <CallLine call={call} onOpen={() => open()} />
      </div>
      {call.state === 'done' && (
        <IconButton
          size="small"
          icon={Undo2}
          label={words.undoCall(summary)}
          className="mt-1"
          onClick={() => requestUndo({ verb: 'undo', call_id: call.call_id, what: call.summary })}
        />
      )}
    </li>
  );
}

/** Which call it was; a click shows everything it changed. */
function CallLine({ call, onOpen }: { call: ChangedCall; onOpen(): void }) {
  const { changes: words, conversation } = useViewText();
  const { tool, files, state } = call;
  const describe = takenBackWords(conversation)[tool];
  const more = Math.max(0, files.length - mostShown) + (call.more_files ?? 0);
  return (
    <button
      type="button"
      title={words.showDiff(visibleLine(call.summary))}
      onClick={onOpen}
      className="flex min-w-0 flex-col px-2.5 py-0.5 text-left hover:bg-hover"
    >
      {more > 0 && <span className="pl-5.5 text-small text-muted">{words.moreFiles(more)}</span>}
      <span className="flex items-center gap-2 pl-5.5 text-tiny text-faint">
        {describe === undefined ? (
          <span className="truncate font-mono">{tool}</span>
        ) : (
          <span className="truncate">{describe(files.map(({ path }) => visibleLine(path)).join(', '))}</span>
        )}
        <StateBadge state={state} />
      </span>
    </button>
  );
}

type FileProps = { file: ChangedFile; onOpen(): void };

function FileLine({ file: { path, from, op, state, uncertain, added, removed }, onOpen }: FileProps) {
  const words = useViewText().changes;
  const at = path.lastIndexOf('/') + 1;
  return (
    <button
      type="button"
      title={words.showDiff(visibleLine(path))}
      onClick={onOpen}
      className="flex w-full items-center gap-1.5 px-2.5 py-0.5 text-left hover:bg-hover"
    >
      <FileIcon name={path} isFolder={op === 'mkdir'} />
      <span
        className={cx(
          'flex min-w-0 flex-1 items-baseline gap-1.5',
          (state === 'undone' || op === 'delete') && 'line-through decoration-faint',
        )}
      >
        <span className="max-w-full shrink-0 truncate">{visibleLine(path.slice(at))}</span>
        <span className="min-w-0 truncate text-tiny text-faint">
          {from === undefined
            ? visibleLine(path.slice(0, Math.max(0, at - 1)))
            : words.movedFrom(visibleLine(from))}
        </span>
      </span>
      {uncertain === true && <span className="shrink-0 text-tiny text-warn">{words.uncertain}</span>}
      {op !== 'update' && <span className="shrink-0 text-tiny text-muted">{words.op[op]}</span>}
      <LineCounts added={added} removed={removed} />
    </button>
  );
}
