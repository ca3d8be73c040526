// The column beside the rail: one view, named above.
import { useText } from '../text/use-text.ts';
import type { View } from '../view.ts';
import { ViewFrame } from './view-frame.tsx';

export function LeftDock({ view, width }: { view: View; width: number }) {
  const text = useText();
  return (
    <aside
      aria-label={text.frame.explorer}
      className="flex min-h-0 shrink-0 flex-col bg-canvas"
      style={{ width }}
    >
      <h2 className="flex h-9 shrink-0 items-center px-3 text-small font-semibold text-muted">
        {view.label(text)}
      </h2>
      <div className="min-h-0 flex-1 overflow-auto">
        <ViewFrame key={view.id} view={view} />
      </div>
    </aside>
  );
}
