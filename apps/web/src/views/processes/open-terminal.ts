// A terminal that only shows: nothing typed into it goes anywhere, and no sequence of a program reaches clipboard, title or links.
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import { allowStyles } from './allow-styles.ts';
import { honestOutput } from './honest-output.ts';

export type OpenTerminal = { write(text: string): void; clear(): void; close(): void };

// Title, colours, notifications, links, clipboard, files: whatever a program says beside its text.
const unheard = [0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 50, 52, 104, 133, 633, 777, 1337];

export function openTerminal(parent: HTMLElement, label: string): OpenTerminal {
  const terminal = new Terminal({
    convertEol: true,
    disableStdin: true,
    scrollback: 5000,
    fontSize: 12,
    lineHeight: 1.25,
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    cursorBlink: false,
    cursorInactiveStyle: 'none',
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-code'),
    theme: themeOf(parent),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  for (const code of unheard) terminal.parser.registerOscHandler(code, () => true);
  // A program must not learn what it printed, nor make the terminal answer.
  for (const final of ['c', 'n', 't']) terminal.parser.registerCsiHandler({ final }, () => true);
  terminal.parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true);
  allowStyles(() => terminal.open(parent));
  terminal.textarea?.setAttribute('aria-label', label);
  // Tab goes on to the next control; the terminal takes no keys but those that scroll it.
  terminal.attachCustomKeyEventHandler(({ key }) => key !== 'Tab');
  const resized = new ResizeObserver(() => fit.fit());
  resized.observe(parent);
  const stop = onThemeChange(() => {
    terminal.options.theme = themeOf(parent);
  });
  return {
    write: (text) => terminal.write(honestOutput(text)),
    clear: () => terminal.reset(),
    close() {
      resized.disconnect();
      stop();
      terminal.dispose();
    },
  };
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
function themeOf(parent: HTMLElement): ITheme {
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
    cursor: sunken,
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
