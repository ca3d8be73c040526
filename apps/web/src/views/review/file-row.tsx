// The head of a file in a review: its name, what happens to it, how its lines end, and a box for all its hunks.

import { type DiffFile, visibleLine } from '@codelab/protocol';
import { fileChange } from '../../diff/file-name.ts';
import { lineEndings } from '../../diff/line-ending.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { countLines } from './count-lines.ts';
import { isFileTaken } from './review-state.ts';
import type { ReviewSession } from './use-review-session.ts';

type Props = { session: ReviewSession; file: number; of: DiffFile };

export function FileRow({ session, file, of }: Props) {
  const words = useText().review;
  const { path, from, op } = fileChange(of);
  const { added, removed } = countLines(of);
  const name = visibleLine(path);
  return (
    <div className="sticky left-0 flex h-10 w-(--review-width) items-center gap-2 border-y border-line bg-canvas px-3">
      {session.canChoose && (
        <Checkbox
          isLabelHidden
          label={words.file(name)}
          isChecked={isFileTaken(session.state, file)}
          onChange={(isTaken) => session.take(isTaken, file)}
        />
      )}
      <span className="min-w-0 flex-1 truncate font-mono text-small font-semibold" title={name}>
        {from !== undefined && from !== path && <span className="text-muted">{visibleLine(from)} → </span>}
        {name}
      </span>
      {words.op[op] !== '' && <Badge tone={op === 'delete' ? 'bad' : 'accent'}>{words.op[op]}</Badge>}
      <Endings of={of} />
      <Badge className="font-mono">
        <span className="text-good">+{added}</span>
        <span className="text-bad">−{removed}</span>
      </Badge>
    </div>
  );
}

function Endings({ of }: { of: DiffFile }) {
  const { endings } = useText().review;
  const { before, after } = lineEndings(of);
  if (before === after || before === 'none' || after === 'none') {
    const only = before === 'none' ? after : before;
    // Plain line feeds are what everybody expects.
    return only === 'lf' || only === 'none' ? null : <Badge tone="warn">{endings[only]}</Badge>;
  }
  return (
    <Badge tone="high">
      {endings[before]} → {endings[after]}
    </Badge>
  );
}
