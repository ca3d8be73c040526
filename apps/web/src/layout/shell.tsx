// The columns of the page, as many as there is room for.
import { errorMessage } from '../error-help.ts';
import { fromFirstView } from '../from-first-view.ts';
import { openSession } from '../session/current-session.ts';
import { useSessionStore } from '../session/session-store.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { useFollowedCosts } from '../views/context/use-context-info.ts';
import { findView } from '../views.ts';
import { LeftDock, SideDock } from './docks.tsx';
import { changeLayout, useLayout } from './layout-store.ts';
import { MainArea } from './main-area.tsx';
import { useWaitingFirst } from './page-effects.ts';
import { BottomBar, PhonePane } from './phone.tsx';
import { Rail } from './rail.tsx';
import { bottomViews, sideViews, useLeftView } from './sorted-views.ts';
import { Splitter } from './splitter.tsx';
import { TopBar } from './top-bar.tsx';
import { type Columns, useColumns } from './use-columns.ts';
import { ViewFrame } from './view-frame.tsx';

/** Loaded beside the frame. */
const StatusBar = fromFirstView(({ StatusBar: Bar }) => Bar, null);

export function AppShell() {
  const columns = useColumns();
  useFollowedCosts();
  return (
    <div className="flex h-dvh flex-col">
      <SkipLinks />
      <TopBar columns={columns} />
      <ConnectionLine />
      {columns === 1 ? <Narrow /> : <Wide columns={columns} />}
      {columns > 1 && <StatusBar />}
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
  const isWhole = useLayout(({ activeTab }) => findView(activeTab)?.isWholeWindow === true);
  const dock = useLeftView();
  const leftView = isWhole ? undefined : dock;
  const isDrawer = columns === 2;
  const hasSide = !isWhole && sideViews.length > 0 && (isDrawer ? isDrawerOpen : isRightOpen);
  return (
    <div className="relative flex min-h-0 flex-1">
      <Rail />
      {leftView !== undefined && (
        <>
          <LeftDock view={leftView} width={leftWidth} />
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
      <Centre />
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

/** The open tabs, and below them the panel. */
function Centre() {
  const text = useText();
  const { isPanelOpen, panelHeight } = useLayout();
  const [panel] = bottomViews;
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <MainArea />
      {isPanelOpen && panel !== undefined && (
        <>
          <Splitter
            label={text.terminals.height}
            width={panelHeight}
            min={100}
            max={700}
            grows="up"
            onChange={(height) => changeLayout({ panelHeight: height })}
          />
          <section
            id="panel"
            aria-label={panel.label(text)}
            style={{ height: panelHeight }}
            className="min-h-0 max-h-[70vh] shrink-0 bg-surface"
          >
            <ViewFrame view={panel} />
          </section>
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

// Says when the session is not live: loading, disconnected, or not available. Screen readers read it aloud when it changes.
function ConnectionLine() {
  const text = useText();
  const connection = useSessionStore((state) => state.connection);
  const problem = useSessionStore((state) => state.problem);
  return (
    <div role="status" aria-live="polite">
      {connection === 'lost' && (
        <p className="flex items-center justify-center gap-2 border-b border-warn/30 bg-warn-soft px-3 py-1 text-small text-warn">
          <Spinner className="size-3.5 text-current" />
          {text.frame.connection.lost}
        </p>
      )}
      {connection === 'gone' && (
        <p className="flex flex-wrap items-center justify-center gap-2 border-b border-bad/30 bg-bad-soft px-3 py-1 text-small text-bad">
          {text.frame.connection.gone} {errorMessage(problem, text)}
          <Button size="small" onClick={() => openSession('')}>
            {text.frame.newSession}
          </Button>
        </p>
      )}
      {connection === 'loading' && <span className="sr-only">{text.frame.connection.loading}</span>}
    </div>
  );
}
