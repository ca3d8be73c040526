// The changed files of a review: how many are viewed, and each with its mark, its counts and a way to it.
import type { ReviewFile } from '@codelab/api';
import { countFiles, type Review, type ReviewItem, visibleLine } from '@codelab/protocol';
import { Check, MessageSquare } from 'lucide-react';
import { cx } from '../../ui/cx.ts';
import { Select } from '../../ui/text-field.tsx';
import { useReviewWords } from './review-words.ts';

type Props = {
  files: readonly ReviewFile[];
  review: Review;
  at: ReviewItem | undefined;
  isViewed(file: ReviewFile): boolean;
  commentsOf(file: ReviewFile): number;
  onGo(file: number): void;
};

export function ReviewFileList({ files, review, at, isViewed, commentsOf, onGo }: Props) {
  const words = useReviewWords();
  const viewed = countFiles(files.filter(isViewed));
  return (
    <nav
      aria-label={words.files}
      className="hidden w-72 shrink-0 flex-col overflow-hidden border-r border-line bg-canvas two:flex"
    >
      <div className="flex flex-col gap-1 border-b border-line px-3 py-2">
        <span role="status" className="text-small font-medium tabular-nums">
          {words.viewedCount(viewed, countFiles(files))}
        </span>
        <span aria-hidden className="h-1 overflow-hidden rounded-full bg-sunken">
          <span
            className="block h-full rounded-full bg-good transition-[width]"
            style={{ width: `${(100 * viewed) / Math.max(1, countFiles(files))}%` }}
          />
        </span>
      </div>
      <ul className="min-h-0 flex-1 overflow-auto py-1">
        {files.map((file, index) => (
          <FileLine
            key={file.path}
            file={file}
            isAt={at?.file === index}
            isViewed={isViewed(file)}
            comments={commentsOf(file)}
            discards={review.items.filter((item) => item.file === index && !item.isTaken).length}
            onGo={() => onGo(index)}
          />
        ))}
      </ul>
    </nav>
  );
}

type LineProps = {
  file: ReviewFile;
  isAt: boolean;
  isViewed: boolean;
  comments: number;
  discards: number;
  onGo(): void;
};

function FileLine({ file, isAt, isViewed, comments, discards, onGo }: LineProps) {
  const words = useReviewWords();
  const name = visibleLine(file.path);
  return (
    <li className={cx('flex items-center px-2', isAt && 'bg-selected')}>
      <button
        type="button"
        title={name}
        aria-current={isAt ? 'true' : undefined}
        onClick={onGo}
        className="flex min-w-0 flex-1 items-center gap-1.5 rounded-small py-1 text-left text-small hover:text-accent"
      >
        <Check aria-hidden className={cx('size-3.5 shrink-0 text-good', !isViewed && 'invisible')} />
        {/* The end of a path tells more than its beginning. */}
        <span className={cx('min-w-0 flex-1 truncate [direction:rtl] text-left', isViewed && 'text-muted')}>
          <bdi dir="ltr" className={cx(file.op === 'delete' && 'line-through')}>
            {name}
          </bdi>
        </span>
        {isViewed && <span className="sr-only">{words.viewed}</span>}
        {comments > 0 && (
          <span className="flex shrink-0 items-center gap-0.5 text-tiny text-accent">
            <MessageSquare aria-hidden className="size-3" />
            {comments}
            <span className="sr-only">{words.comments(comments)}</span>
          </span>
        )}
        {discards > 0 && (
          <span className="shrink-0 rounded-full bg-bad-soft px-1 text-tiny text-bad">
            <span aria-hidden>✕{discards}</span>
            <span className="sr-only">{words.toDiscard(discards)}</span>
          </span>
        )}
        {file.added !== null && (
          <span className="shrink-0 font-mono text-tiny tabular-nums">
            <span className="text-good">+{file.added}</span>{' '}
            <span className="text-bad">−{file.removed ?? 0}</span>
          </span>
        )}
      </button>
    </li>
  );
}

/** The same where there is no room for a column. */
export function ReviewFileSelect({ files, at, isViewed, onGo }: Omit<Props, 'review' | 'commentsOf'>) {
  const words = useReviewWords();
  const viewed = countFiles(files.filter(isViewed));
  return (
    <div className="shrink-0 border-b border-line px-3 py-1.5 two:hidden">
      <Select
        isLabelHidden
        label={`${words.goTo}, ${words.viewedCount(viewed, countFiles(files))}`}
        value={`${at?.file ?? 0}`}
        options={files.map((file, index) => ({
          value: `${index}`,
          label: `${isViewed(file) ? '✓ ' : ''}${visibleLine(file.path)} (${index + 1}/${files.length})`,
        }))}
        onChange={(value) => onGo(Number(value))}
      />
    </div>
  );
}
