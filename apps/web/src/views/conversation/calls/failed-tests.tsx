// The tests that a command reported as failed, each with the line that says why: what one looks for in the output of a test run.
import { type FailedTest, visibleLine } from '@codelab/protocol';
import { CircleX } from 'lucide-react';
import { useState } from 'react';
import { TextWithPaths } from '../../../markdown/file-link.tsx';
import { useSession } from '../../../session/session-store.ts';
import { useText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';

const shownAtFirst = 6;

export function FailedTestList({ tests }: { tests: readonly FailedTest[] }) {
  const words = useText().conversation;
  const [isWhole, setIsWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, tests.length - shownAtFirst);
  return (
    <div className="border-t border-line">
      <ul aria-label={words.failedTests} className="flex flex-col gap-1.5 px-3 py-2">
        {tests.slice(0, tests.length - hidden).map((test) => (
          <TestLine key={test.name} test={test} />
        ))}
      </ul>
      {hidden > 0 && (
        <Button size="small" tone="quiet" className="mb-1.5 ml-2" onClick={() => setIsWhole(true)}>
          {words.moreFailedTests(hidden)}
        </Button>
      )}
    </div>
  );
}

function TestLine({ test: { name, place, reason } }: { test: FailedTest }) {
  const root = useSession((model) => model.workspace);
  const shownPlace = place.startsWith(`${root}/`) ? place.slice(root.length + 1) : place;
  return (
    <li className="flex items-start gap-2">
      <CircleX aria-hidden className="mt-1 size-3.5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{visibleLine(name)}</span>
          {shownPlace !== '' && (
            <span className="font-mono text-tiny text-muted">
              <TextWithPaths text={visibleLine(shownPlace)} />
            </span>
          )}
        </p>
        {reason !== '' && (
          <p className="line-clamp-2 font-mono text-small text-muted">{visibleLine(reason)}</p>
        )}
      </div>
    </li>
  );
}
