// The columns of the page, as many as there is room for.
import { useText } from '../text/use-text.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { changeLayout, useLayout } from './layout-store.ts';
import { LeftDock } from './left-dock.tsx';
import { MainArea } from './main-area.tsx';
import { PhonePane } from './phone-pane.tsx';
import { Rail } from './rail.tsx';
import { SideDock } from './side-dock.tsx';
import { sideViews } from './sorted-views.ts';
import { Splitter } from './splitter.tsx';
import { TopBar } from './top-bar.tsx';
import { type Columns, useColumns } from './use-columns.ts';
import { useLeftView } from './use-left-view.ts';
import { useWaitingFirst } from './use-waiting-first.ts';

export function Shell() {
  const columns = useColumns();
  return (
    <div className="flex h-dvh flex-col">
      <SkipLinks />
      <TopBar columns={columns} />
      <ConnectionLine />
      {columns === 1 ? <Narrow /> : <Wide columns={columns} />}
    </div>
  );
}

function Narrow() {
  useWaitingFirst();
  return (
    <>
      <PhonePane />
      <BottomBar />
    </>
  );
}

function Wide({ columns }: { columns: Columns }) {
  const text = useText();
  const { leftWidth, rightWidth, isRightOpen, isDrawerOpen } = useLayout();
  const left = useLeftView();
  const isDrawer = columns === 2;
  const hasSide = sideViews.length > 0 && (isDrawer ? isDrawerOpen : isRightOpen);
  return (
    <div className="relative flex min-h-0 flex-1">
      <Rail />
      {left !== undefined && (
        <>
          <LeftDock view={left} width={leftWidth} />
          <Splitter
            label={text.frame.resizeLeft}
            width={leftWidth}
            min={180}
            max={480}
            grows="left"
            onChange={(width) => changeLayout({ leftWidth: width })}
          />
        </>
      )}
      <MainArea />
      {hasSide && (
        <>
          {!isDrawer && (
            <Splitter
              label={text.frame.resizeRight}
              width={rightWidth}
              min={260}
              max={640}
              grows="right"
              onChange={(width) => changeLayout({ rightWidth: width })}
            />
          )}
          <SideDock width={rightWidth} isDrawer={isDrawer} />
        </>
      )}
    </div>
  );
}

function SkipLinks() {
  const text = useText();
  const look =
    'fixed top-1 left-1 z-50 -translate-y-16 rounded-base bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0';
  return (
    <>
      <button type="button" className={look} onClick={() => jump('main')}>
        {text.frame.skipToConversation}
      </button>
      <button type="button" className={look} onClick={() => jump('side')}>
        {text.frame.skipToPanel}
      </button>
    </>
  );
}

// The address is the session's, so these are no links: only the focus moves.
function jump(id: string): void {
  document.getElementById(id)?.focus();
}
