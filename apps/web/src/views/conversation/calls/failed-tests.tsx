// The failed tests of a command, each with the runner's output about it: the part of a test run that one looks for.
import { type FailedTest, visible, visibleLine } from '@codelab/protocol';
import { ChevronRight, CircleX } from 'lucide-react';
import { useState } from 'react';
import { FileLink, TextWithPaths } from '../../../markdown/file-link.tsx';
import { filePlace } from '../../../markdown/file-links.ts';
import { useSession } from '../../../session/session-store.ts';
import { useText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';

const shownAtFirst = 6;
/** The first failures are often the cause of the others. */
const openAtFirst = 3;

export function FailedTestList({ tests }: { tests: readonly FailedTest[] }) {
  const words = useText().conversation;
  const [isWhole, setIsWhole] = useState(false);
  const hidden = isWhole ? 0 : Math.max(0, tests.length - shownAtFirst);
  return (
    <div className="border-t border-line">
      <ul aria-label={words.failedTests} className="flex flex-col gap-1.5 px-3 py-2">
        {tests.slice(0, tests.length - hidden).map((test, at) => (
          <TestLine key={`${test.name} ${test.place}`} test={test} isOpenAtFirst={at < openAtFirst} />
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

function TestLine({ test, isOpenAtFirst }: { test: FailedTest; isOpenAtFirst: boolean }) {
  const words = useText().conversation;
  const root = useSession((model) => model.workspace);
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { place, reason, lines } = test;
  const name = visibleLine(test.name);
  const shownPlace = place.startsWith(`${root}/`) ? place.slice(root.length + 1) : place;
  const target = filePlace(shownPlace);
  return (
    <li className="flex flex-col wrap-anywhere">
      <div className="flex items-start gap-2">
        <CircleX aria-hidden className="mt-1 size-3.5 shrink-0 text-bad" />
        <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
          <span className="font-medium">
            {target === undefined ? name : <FileLink place={target}>{name}</FileLink>}
          </span>
          <span className="font-mono text-tiny text-muted">
            <TextWithPaths text={visibleLine(shownPlace)} />
          </span>
        </p>
        {lines.length > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={words.failureOf(name)}
            onClick={() => setIsOpen(!isOpen)}
            className="rounded-small p-1 text-faint hover:bg-hover hover:text-text"
          >
            <ChevronRight
              aria-hidden
              className={cx('size-3.5 transition-transform', isOpen && 'rotate-90')}
            />
          </button>
        )}
      </div>
      {isOpen && lines.length > 0 ? (
        <FailureLines lines={lines} root={root} />
      ) : (
        <p className="ml-5.5 line-clamp-2 font-mono text-small text-muted">{visibleLine(reason)}</p>
      )}
    </li>
  );
}

/** The runner's output about the failure, with its places as short links: runners print whole paths. */
function FailureLines({ lines, root }: { lines: readonly string[]; root: string }) {
  const printed = lines.join('\n');
  const text = root === '' ? printed : printed.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '');
  return (
    <pre className="mt-1 ml-5.5 rounded-r-base border-l-2 border-bad/60 bg-bad-soft px-2.5 py-1.5 font-mono text-small whitespace-pre-wrap wrap-anywhere">
      <TextWithPaths text={visible(text)} />
    </pre>
  );
}
