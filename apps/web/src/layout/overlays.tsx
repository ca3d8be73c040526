// Dialogs that open from anywhere, and the actions of the frame.
import { useState } from 'react';
import { type Action, useActions } from '../actions/actions.ts';
import { Palette } from '../actions/palette.tsx';
import { ShortcutsDialog } from '../actions/shortcuts-dialog.tsx';
import { signOut } from '../api/page-session.ts';
import { openSession } from '../session/current-session.ts';
import { chooseLanguage } from '../text/language.ts';
import { languages, type UiLanguage } from '../text/load-texts.ts';
import { useText } from '../text/use-text.ts';
import { chooseTheme, themes } from '../theme.ts';
import { toastError } from '../ui/toast.tsx';
import type { View } from '../view.ts';
import { findFile } from '../views/files/open-file.ts';
import { findView, views } from '../views.ts';
import { changeLayout, hasRoom, hideLeft, showLeft, togglePanel, useLayout } from './layout-store.ts';
import { showView } from './show-view.ts';
import { columnsNow } from './use-columns.ts';

export function Overlays() {
  const [open, setOpen] = useState<'palette' | 'shortcuts' | undefined>();
  useActions(useFrameActions(setOpen));
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Palette isOpen={open === 'palette'} onClose={close} />
      <ShortcutsDialog isOpen={open === 'shortcuts'} onClose={close} />
    </>
  );
}

/** Leaves a view that takes the whole window, beside which no column is shown; returns whether there was one. */
function leaveWholeWindow(): boolean {
  const isWhole = findView(useLayout.getState().activeTab)?.isWholeWindow === true;
  if (isWhole) showView('conversation');
  return isWhole;
}

function toggleRight(): void {
  const wasWhole = leaveWholeWindow();
  const { isRightOpen, isDrawerOpen } = useLayout.getState();
  if (columnsNow() === 3) changeLayout({ isRightOpen: wasWhole || !isRightOpen });
  else changeLayout({ isDrawerOpen: wasWhole || !isDrawerOpen });
}

function useFrameActions(open: (what: 'palette' | 'shortcuts') => void): Action[] {
  const text = useText();
  const { frame } = text;
  return [
    { id: 'frame.palette', group: 'help', label: frame.palette, run: () => open('palette') },
    { id: 'frame.shortcuts', group: 'help', label: frame.shortcuts, run: () => open('shortcuts') },
    {
      id: 'session.new',
      group: 'session',
      label: frame.newSession,
      run: () => {
        openSession('');
        showView('conversation');
      },
    },
    {
      id: 'frame.signOut',
      group: 'other',
      label: frame.signOut,
      run: () => void signOut().catch(toastError),
    },
    { id: 'search.open', group: 'go', label: text.search.field, run: searchProject },
    { id: 'files.find', group: 'go', label: text.files.filter, run: findFile },
    {
      id: 'frame.left',
      group: 'view',
      label: frame.showLeft,
      run: toggleLeft,
    },
    {
      id: 'frame.right',
      group: 'view',
      label: frame.showRight,
      run: toggleRight,
    },
    { id: 'frame.terminal', group: 'view', label: text.terminals.toggle, run: toggleTerminal },
    ...views.filter(isPlace).map((view): Action => {
      const run = (): void => showView(view.id);
      return { id: `go.${view.id}`, group: 'go', label: view.label(text), run };
    }),
    ...themes.map((theme): Action => {
      const label = `${frame.theme}: ${frame.themes[theme]}`;
      return { id: `theme.${theme}`, group: 'view', label, run: () => chooseTheme(theme) };
    }),
    ...Object.entries(languages).map(([language, name]): Action => {
      const run = (): void => void chooseLanguage(language as UiLanguage);
      return { id: `language.${language}`, group: 'view', label: `${frame.language}: ${name}`, run };
    }),
  ];
}

function toggleTerminal(): void {
  if (columnsNow() === 1) showView('terminals');
  else togglePanel();
}

// The code of the dialog is not needed before.
function searchProject(): void {
  void import('../views/search/search-store.ts').then(({ openSearch }) => openSearch());
}

// A view of the centre that shows one of many things is opened with it, not by its name.
function isPlace({ id, place, isInRail }: View): boolean {
  return place !== 'main' || isInRail === true || id === 'conversation';
}

function toggleLeft(): void {
  const wasWhole = leaveWholeWindow();
  const { isLeftOpen, isNarrowLeftOpen, leftView } = useLayout.getState();
  if (!wasWhole && (hasRoom() ? isLeftOpen : isNarrowLeftOpen)) hideLeft();
  else showLeft(leftView);
}
