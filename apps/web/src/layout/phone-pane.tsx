// The one column of a narrow screen; whatever it shows is the main thing on the page.
import { useText } from '../text/use-text.ts';
import { cx } from '../ui/cx.ts';
import { findView } from '../views.ts';
import { MainArea } from './main-area.tsx';
import { usePhone } from './phone-store.ts';
import { ViewFrame } from './view-frame.tsx';
import { ViewHeading } from './view-heading.tsx';

export function PhonePane() {
  const text = useText();
  const pane = usePhone((state) => state.pane);
  const view = pane === 'main' ? undefined : findView(pane);
  return (
    <>
      <div className={cx('flex min-h-0 flex-1 flex-col', view !== undefined && 'hidden')}>
        <MainArea />
      </div>
      {view !== undefined && (
        <main
          id="side"
          tabIndex={-1}
          aria-label={view.label(text)}
          className="flex min-h-0 flex-1 flex-col bg-surface"
        >
          <ViewHeading view={view} />
          <div className="min-h-0 flex-1 overflow-auto">
            <ViewFrame key={view.id} view={view} />
          </div>
        </main>
      )}
    </>
  );
}
