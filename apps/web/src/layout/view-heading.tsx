// The name of a view above it, and what belongs to the view as a whole.
import { Suspense } from 'react';
import { useText } from '../text/use-text.ts';
import type { View } from '../view.ts';

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
