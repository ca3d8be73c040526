// The column beside the rail: one view, named above.
import { useText } from '../text/use-text.ts';
import type { View } from '../view.ts';
import { ViewFrame } from './view-frame.tsx';
import { ViewHeading } from './view-heading.tsx';

export function LeftDock({ view, width }: { view: View; width: number }) {
  const text = useText();
  return (
    <aside
      aria-label={text.frame.explorer}
      className="flex min-h-0 shrink-0 flex-col bg-canvas"
      style={{ width }}
    >
      <ViewHeading view={view} />
      <div className="min-h-0 flex-1 overflow-auto">
        <ViewFrame key={view.id} view={view} />
      </div>
    </aside>
  );
}
