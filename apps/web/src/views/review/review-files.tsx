// The files of a change, each with a box and a way to it.
import { isFileTaken, visibleLine } from '@codelab/protocol';
import { fileChange } from '../../diff/file-name.ts';
import { useViewText } from '../../text/use-text.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { countDiffLines } from './review-rows.ts';
import type { ReviewSession } from './review-session.ts';

export function ReviewFiles({ session, onGo }: { session: ReviewSession; onGo(key: string): void }) {
  const words = useViewText().review;
  const { review, at, canChoose } = session;
  return (
    <nav
      aria-label={words.files}
      className="hidden w-60 shrink-0 overflow-auto border-r border-line bg-canvas py-1 @4xl:block"
    >
      {review.files.map((file, index) => {
        const name = visibleLine(fileChange(file).path);
        const first = review.items.find((item) => item.file === index);
        const { added, removed } = countDiffLines(file);
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a file's name is its place in the diff.
            key={index}
            className={cx('flex items-center gap-2 px-2 py-0.5', at?.file === index && 'bg-selected')}
          >
            {canChoose && (
              <Checkbox
                isLabelHidden
                label={words.file(name)}
                isChecked={isFileTaken(review, index)}
                onChange={(isTaken) => session.take(isTaken, index)}
              />
            )}
            <button
              type="button"
              title={name}
              onClick={() => first !== undefined && onGo(first.key)}
              className="flex min-w-0 flex-1 items-center gap-2 rounded-small py-1 text-left text-small hover:text-accent"
            >
              {/* The end of a path tells more than its beginning. */}
              <span className="min-w-0 flex-1 truncate [direction:rtl] text-left">
                <bdi dir="ltr">{name}</bdi>
              </span>
              <span className="shrink-0 font-mono text-tiny">
                <span className="text-good">+{added}</span> <span className="text-bad">−{removed}</span>
              </span>
            </button>
          </div>
        );
      })}
    </nav>
  );
}
