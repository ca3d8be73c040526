// The bar above everything: which session, what the agent does, and what concerns the whole page.
import { visibleLine } from '@codelab/protocol';
import { Command, Languages, Monitor, Moon, PanelRight, Plus, Sun } from 'lucide-react';
import { runAction } from '../actions/actions.ts';
import { shortcuts } from '../keys.ts';
import { useSession } from '../session/session-store.ts';
import { chooseLanguage, type Language, languages, useLanguage } from '../text/language.ts';
import { useText } from '../text/use-text.ts';
import { chooseTheme, themes, useTheme } from '../theme.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { useLayout } from './layout-store.ts';
import { sideViews } from './sorted-views.ts';
import { StatusPill } from './status-pill.tsx';
import type { Columns } from './use-columns.ts';

export function TopBar({ columns }: { columns: Columns }) {
  const text = useText();
  const title = useSession((model) => model.title);
  const isRightOpen = useLayout((layout) => (columns === 3 ? layout.isRightOpen : layout.isDrawerOpen));
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-canvas px-2 two:px-3">
      <Logo isShort={columns === 1} />
      <h1 className="min-w-0 flex-1 truncate font-medium two:border-l two:border-line two:pl-3">
        {title === '' ? text.frame.untitled : visibleLine(title)}
      </h1>
      <StatusPill />
      <IconButton
        icon={Plus}
        label={text.frame.newSession}
        shortcut={shortcuts['session.new']}
        onClick={() => runAction('session.new')}
      />
      <IconButton
        icon={Command}
        label={text.frame.palette}
        shortcut={shortcuts['frame.palette']}
        onClick={() => runAction('frame.palette')}
      />
      {columns > 1 && <LanguageMenu />}
      {columns > 1 && <ThemeMenu />}
      {columns > 1 && sideViews.length > 0 && (
        <IconButton
          icon={PanelRight}
          label={text.frame.showRight}
          shortcut={shortcuts['frame.right']}
          aria-pressed={isRightOpen}
          isActive={isRightOpen}
          onClick={() => runAction('frame.right')}
        />
      )}
    </header>
  );
}

function Logo({ isShort }: { isShort: boolean }) {
  return (
    <span className="flex items-center gap-2 font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-5.5">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path
          d="M12.5 9.5 6.5 16l6 6.5M19.5 9.5l6 6.5-6 6.5"
          className="fill-none stroke-on-accent stroke-[2.6]"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className={isShort ? 'sr-only' : 'text-read'}>CodeLab</span>
    </span>
  );
}

const themeIcons = { system: Monitor, light: Sun, dark: Moon };

function ThemeMenu() {
  const text = useText();
  const { theme } = useTheme();
  return (
    <Menu
      align="end"
      label={text.frame.theme}
      trigger={<IconButton icon={themeIcons[theme]} label={text.frame.theme} />}
      items={themes.map((id) => ({
        id,
        label: text.frame.themes[id],
        isChosen: id === theme,
        onSelect: () => chooseTheme(id),
      }))}
    />
  );
}

function LanguageMenu() {
  const text = useText();
  const language = useLanguage((state) => state.language);
  return (
    <Menu
      align="end"
      label={text.frame.language}
      trigger={<IconButton icon={Languages} label={text.frame.language} />}
      items={Object.entries(languages).map(([id, label]) => ({
        id,
        label,
        isChosen: id === language,
        onSelect: () => void chooseLanguage(id as Language),
      }))}
    />
  );
}
