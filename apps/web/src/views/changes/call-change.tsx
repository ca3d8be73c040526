// What one call changed: its files, and how to look at it or take it back.
import type { ChangeCall, ChangedFile } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { Undo2 } from 'lucide-react';
import { showView } from '../../layout/show-view.ts';
import { currentSession } from '../../session/current-session.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { FileIcon } from '../files/file-icon.tsx';
import { LineCounts } from './line-counts.tsx';
import { StateBadge } from './state-badge.tsx';
import { wantTakeBack } from './take-back-store.ts';

const mostShown = 8;

export function CallChange({ call }: { call: ChangeCall }) {
  const words = useText().changes;
  const summary = visibleLine(call.summary);
  const open = (): void => showView('change', `${currentSession()}/${call.call_id}`, summary);
  const more = Math.max(0, call.files.length - mostShown) + (call.more_files ?? 0);
  return (
    <li
      data-change={call.call_id}
      className={cx(
        'group flex items-start gap-1 rounded-base border border-line bg-raised pr-1',
        call.state !== 'done' && 'opacity-80',
      )}
    >
      <button
        type="button"
        title={words.showDiff(summary)}
        onClick={open}
        className="flex min-w-0 flex-1 flex-col gap-0.5 px-2.5 py-1.5 text-left"
      >
        {call.files.slice(0, mostShown).map((file) => (
          <FileLine key={file.path} file={file} />
        ))}
        {more > 0 && <span className="pl-5.5 text-small text-muted">{words.moreFiles(more)}</span>}
        <span className="flex items-center gap-2 pl-5.5 text-tiny text-faint">
          <span className="truncate font-mono">{call.tool}</span>
          <StateBadge state={call.state} />
        </span>
      </button>
      {call.state === 'done' && (
        <IconButton
          size="small"
          icon={Undo2}
          label={words.undoCall(summary)}
          className="mt-1"
          onClick={() => wantTakeBack({ verb: 'undo', call_id: call.call_id, what: call.summary })}
        />
      )}
    </li>
  );
}

function FileLine({ file: { path, from, op, state, uncertain, added, removed } }: { file: ChangedFile }) {
  const words = useText().changes;
  const at = path.lastIndexOf('/') + 1;
  return (
    <span className="flex w-full items-center gap-1.5" title={visibleLine(path)}>
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
    </span>
  );
}
