// A terminal on the screen. No sequence of a program reaches clipboard, title or links. Without `typing` it is read-only: typed keys go
// nowhere, and no query of a program is answered.
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import { spellPress } from '../../actions/spell-shortcut.ts';
import { shortcuts } from '../../keys.ts';
import { allowStyles } from './allow-styles.ts';
import { spellHiddenCharacters } from './spell-hidden-characters.ts';

export type OpenTerminal = {
  /** Resolves when it is drawn. */
  write(text: string): Promise<void>;
  clear(): void;
  focus(): void;
  close(): void;
};

type Typing = {
  onInput(text: string): void;
  onSize(size: { cols: number; rows: number }): void;
};

// Title, colours, notifications, links, clipboard, files: whatever a program says beside its text.
const unheard = [0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 50, 52, 104, 133, 633, 777, 1337];

export function mountTerminal(parent: HTMLElement, label: string, typing?: Typing): OpenTerminal {
  const isTyped = typing !== undefined;
  const terminal = new Terminal({
    convertEol: !isTyped,
    disableStdin: !isTyped,
    scrollback: 5000,
    fontSize: 12,
    lineHeight: 1.25,
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    cursorBlink: false,
    cursorInactiveStyle: isTyped ? 'outline' : 'none',
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-code'),
    theme: themeOf(parent, isTyped),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  for (const code of unheard) terminal.parser.registerOscHandler(code, () => true);
  // A program must not learn what it printed, nor make the terminal answer; in a terminal that is typed into, it may ask for the cursor.
  for (const final of isTyped ? ['t'] : ['c', 'n', 't'])
    terminal.parser.registerCsiHandler({ final }, () => true);
  terminal.parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true);
  allowStyles(() => terminal.open(parent));
  terminal.textarea?.setAttribute('aria-label', label);
  // Where nothing is typed, Tab goes on to the next control; the terminal takes no keys but those that scroll it.
  terminal.attachCustomKeyEventHandler(
    isTyped ? (event) => isForShell(event, terminal) : ({ key }) => key !== 'Tab',
  );
  if (typing) {
    terminal.onData(typing.onInput);
    terminal.onResize(({ cols, rows }) => typing.onSize({ cols, rows }));
  }
  const resized = new ResizeObserver(() => fit.fit());
  resized.observe(parent);
  const stop = onThemeChange(() => {
    terminal.options.theme = themeOf(parent, isTyped);
  });
  return {
    write: (text) => new Promise((resolve) => terminal.write(spellHiddenCharacters(text), resolve)),
    clear: () => terminal.reset(),
    focus: () => terminal.focus(),
    close() {
      resized.disconnect();
      stop();
      terminal.dispose();
    },
  };
}

/** Keys that the page or the browser handles are not typed: leaving the terminal, copying, pasting. */
function isForShell(event: KeyboardEvent, terminal: Terminal): boolean {
  if (spellPress(event) === shortcuts['frame.terminal']) return false;
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return true;
  // The browser pastes by itself.
  if (event.code === 'KeyV') return false;
  const isCopy = event.code === 'KeyC' && (event.shiftKey || event.metaKey || terminal.hasSelection());
  if (!isCopy) return true;
  // In a browser Ctrl+Shift+C is another command.
  event.preventDefault();
  if (event.type === 'keydown' && terminal.hasSelection()) {
    document.execCommand('copy');
    terminal.clearSelection();
  }
  return false;
}

function onThemeChange(hear: () => void): () => void {
  const chosen = new MutationObserver(hear);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', hear);
  return () => {
    chosen.disconnect();
    system.removeEventListener('change', hear);
  };
}

/** The tokens of the page, as the browser resolves them now. */
function themeOf(parent: HTMLElement, hasCursor: boolean): ITheme {
  const probe = document.createElement('span');
  // With reduced motion even colours change a moment later, and the first one would be read each time.
  probe.style.transitionProperty = 'none';
  parent.append(probe);
  const color = (token: string): string => {
    probe.style.color = `var(--${token})`;
    return getComputedStyle(probe).color;
  };
  const [red, green, yellow, blue] = [color('bad'), color('good'), color('warn'), color('accent')];
  const [magenta, cyan] = [color('syntax-keyword'), color('syntax-type')];
  const [text, faint, sunken] = [color('text'), color('faint'), color('sunken')];
  probe.remove();
  return {
    background: sunken,
    foreground: text,
    cursor: hasCursor ? text : sunken,
    cursorAccent: sunken,
    selectionBackground: blue,
    selectionForeground: sunken,
    black: faint,
    red,
    green,
    yellow,
    blue,
    magenta,
    cyan,
    white: text,
    brightBlack: faint,
    brightRed: red,
    brightGreen: green,
    brightYellow: yellow,
    brightBlue: blue,
    brightMagenta: magenta,
    brightCyan: cyan,
    brightWhite: text,
  };
}
