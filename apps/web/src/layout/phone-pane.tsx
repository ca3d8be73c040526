// The one column of a narrow screen.
import { useText } from '../text/use-text.ts';
import { cx } from '../ui/cx.ts';
import { findView } from '../views.ts';
import { MainArea } from './main-area.tsx';
import { usePhone } from './phone-store.ts';
import { ViewFrame } from './view-frame.tsx';

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
        <aside
          id="side"
          tabIndex={-1}
          aria-label={view.label(text)}
          className="min-h-0 flex-1 overflow-auto bg-surface"
        >
          <ViewFrame key={view.id} view={view} />
        </aside>
      )}
    </>
  );
}
