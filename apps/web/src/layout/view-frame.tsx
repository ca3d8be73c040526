// The frame of a view in the layout: its heading, its count, and the mark of unsaved changes.
import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode, Suspense } from 'react';
import { errorMessage } from '../error-help.ts';
import { currentText, useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { EmptyState, Loading } from '../ui/spinner.tsx';
import type { View } from '../view.ts';

// Where a view is shown: it loads, it may fail, and neither takes the rest of the page with it.
export function ViewFrame({ view: { component: Shown }, param = '' }: { view: View; param?: string }) {
  return (
    <Fence>
      <Suspense fallback={<Loading />}>
        <Shown param={param} />
      </Suspense>
    </Fence>
  );
}

class Fence extends Component<{ children: ReactNode }, { problem: string | undefined }> {
  override state = { problem: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { problem: errorMessage(error, currentText()) };
  }

  override render() {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return <Failed problem={problem} onRetry={() => this.setState({ problem: undefined })} />;
  }
}

function Failed({ problem, onRetry }: { problem: string; onRetry(): void }) {
  const text = useText();
  return (
    <EmptyState icon={CircleAlert} title={text.frame.viewFailed} hint={problem}>
      <Button onClick={onRetry}>{text.frame.tryAgain}</Button>
    </EmptyState>
  );
}

// The name of a view above it, and what belongs to the view as a whole.
export function ViewHeading({ view: { label, head: Head } }: { view: View }) {
  return (
    <header className="flex h-9 shrink-0 items-center gap-2 pr-2 pl-3">
      <h2 className="min-w-0 flex-1 truncate text-small font-semibold text-muted">{label(useText())}</h2>
      {Head !== undefined && (
        <Suspense fallback={null}>
          <Head />
        </Suspense>
      )}
    </header>
  );
}

// The number a view wants seen beside its name.
export function CountBadge({ view, isCorner = false }: { view: View; isCorner?: boolean }) {
  return view.useCount === undefined ? null : <Count useCount={view.useCount} isCorner={isCorner} />;
}

function Count({ useCount, isCorner }: { useCount(): number; isCorner: boolean }) {
  const count = useCount();
  if (count === 0) return null;
  const shown = count > 99 ? '99+' : String(count);
  return (
    // On an icon it is a picture: as text it would have to be part of the button's name.
    <span
      aria-hidden={isCorner || undefined}
      data-count={shown}
      className={cx(
        'text-center text-[0.625rem] leading-4 font-semibold',
        isCorner ? 'min-w-4 rounded-full bg-accent px-1 text-on-accent' : 'text-accent',
        isCorner && 'absolute -top-1 -right-0.5 ring-2 ring-canvas before:content-[attr(data-count)]',
      )}
    >
      {!isCorner && shown}
    </span>
  );
}

// The mark of a tab that holds something not saved.
export function DirtyDot({ view, param }: { view: View; param: string }) {
  return view.useIsDirty === undefined ? null : <Dot useIsDirty={view.useIsDirty} param={param} />;
}

function Dot({ useIsDirty, param }: { useIsDirty(param: string): boolean; param: string }) {
  const text = useText();
  const isDirty = useIsDirty(param);
  if (!isDirty) return null;
  return (
    <>
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-accent" />
      <span className="sr-only">, {text.editor.unsaved}</span>
    </>
  );
}
