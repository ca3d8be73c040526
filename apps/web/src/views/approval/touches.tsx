// What a call touches: the place it really leads to, then how it was asked for where that differs.
import { type Touch, visibleLine } from '@codelab/protocol';
import { useState } from 'react';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { type TouchLine, touchLines } from './touch-lines.ts';

const few = 8;

export function Touches({ touches }: { touches: readonly Touch[] }) {
  const words = useText().approval;
  const [isWhole, setIsWhole] = useState(false);
  const lines = touchLines(touches);
  const shown = isWhole ? lines : lines.slice(0, few);
  return (
    <ul>
      {shown.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same place may be touched twice.
        <Line key={at} line={line} />
      ))}
      {shown.length < lines.length && (
        <li>
          <Button size="small" tone="quiet" onClick={() => setIsWhole(true)}>
            {words.andMore(lines.length - shown.length)}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Line({ line: { touch, below } }: { line: TouchLine }) {
  const words = useText().approval;
  const { access, path, asked } = touch;
  return (
    <li className="wrap-anywhere">
      <span className={cx(access === 'delete' ? 'text-bad' : 'text-muted')}>{words.access[access]}</span>{' '}
      <code className="font-mono">{visibleLine(path)}</code>
      {below > 0 && <span className="text-muted"> {words.andBelow(below)}</span>}
      {asked !== path && (
        <span className="text-warn"> {words.askedAs(visibleLine(JSON.stringify(asked)))}</span>
      )}
    </li>
  );
}
