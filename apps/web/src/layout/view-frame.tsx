// Where a view is shown: it loads, it may fail, and neither takes the rest of the page with it.
import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode, Suspense } from 'react';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { View } from '../view.ts';

export function ViewFrame({ view: { component: Shown }, param = '' }: { view: View; param?: string }) {
  return (
    <Fence>
      <Suspense fallback={<Loading />}>
        <Shown param={param} />
      </Suspense>
    </Fence>
  );
}

function Loading() {
  const text = useText();
  return (
    <div className="flex h-full items-center justify-center p-6">
      <Spinner label={text.frame.loading} />
    </div>
  );
}

class Fence extends Component<{ children: ReactNode }, { problem: string | undefined }> {
  override state = { problem: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) };
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
