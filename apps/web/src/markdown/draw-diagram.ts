// Diagrams by Mermaid, drawn in a separate frame. The library writes style sheets and HTML, which the page's policy forbids, so it runs in
// a document without origin, network and storage. The result is shown as a picture, which runs no script and loads nothing.
import library from '@mermaid-js/tiny/dist/mermaid.tiny.js?url';
import { retried } from '../load-later.ts';

const longestSource = 20_000;
const longestPicture = 2_000_000;
const mostEdges = 400;
const patienceMs = 15_000;

type Answer = { svg?: string; error?: string };
type DrawingFrame = { ask(message: object): Promise<Answer>; close(): void };

let frame: Promise<DrawingFrame> | undefined;
/** The library draws one diagram at a time. */
let queue: Promise<unknown> = Promise.resolve();

/** An SVG. Throws where the source is no diagram of a kind that the library knows, too long, or takes too long. */
export function drawDiagram(source: string): Promise<string> {
  const drawn = queue.then(() => drawNow(source));
  queue = drawn.catch(() => undefined);
  return drawn;
}

async function drawNow(source: string): Promise<string> {
  if (source.length > longestSource) throw new Error('The diagram is too long to be drawn.');
  frame ??= openFrame();
  try {
    const { svg, error } = await (await frame).ask({ source, settings: settingsNow() });
    if (svg === undefined) throw new Error(error);
    if (svg.length > longestPicture) throw new Error('The diagram is too large to be shown.');
    return svg;
  } catch (error) {
    // A frame that does not answer is gone with whatever it still computes; the next diagram has a new one.
    if (error instanceof DOMException) closeFrame();
    throw error;
  }
}

function closeFrame(): void {
  void frame?.then(({ close }) => close()).catch(() => undefined);
  frame = undefined;
}

async function openFrame(): Promise<DrawingFrame> {
  const element = document.createElement('iframe');
  element.src = '/diagram';
  element.title = 'Mermaid';
  element.ariaHidden = 'true';
  element.tabIndex = -1;
  element.sandbox.add('allow-scripts');
  // Texts are measured in it, so it has a size and is hidden by its place.
  element.className = 'pointer-events-none fixed top-0 -left-[4000px] h-[1000px] w-[2000px]';
  const opened = createDrawingFrame(element);
  try {
    const started = opened.ask({});
    document.body.append(element);
    await started;
    const text = await retried(async () => await (await fetch(library)).text());
    const { error } = await opened.ask({ library: text });
    if (error !== undefined) throw new Error(error);
    return opened;
  } catch (error) {
    opened.close();
    frame = undefined;
    throw error;
  }
}

/** The frame answers each message with one of its own; the first one says that it is there. */
function createDrawingFrame(element: HTMLIFrameElement): DrawingFrame {
  const ask = (message: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(patienceMs);
      const onMessage = ({ source, data }: MessageEvent<Answer>): void => {
        if (source === null || source !== element.contentWindow) return;
        window.removeEventListener('message', onMessage);
        resolve(data);
      };
      window.addEventListener('message', onMessage);
      signal.addEventListener('abort', () => {
        window.removeEventListener('message', onMessage);
        reject(signal.reason);
      });
      // The frame has no origin that could be named. Nothing secret is sent: the library, and a text of the conversation.
      element.contentWindow?.postMessage(message, '*');
    });
  return { ask, close: () => element.remove() };
}

/** The colours of the page as it looks now. What a diagram says in its own settings counts for none of these. */
function settingsNow(): Record<string, unknown> {
  const probe = document.body.appendChild(document.createElement('span'));
  const colorOf = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const settings = {
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    suppressErrorRendering: true,
    maxTextSize: longestSource,
    maxEdges: mostEdges,
    theme: 'base',
    fontFamily: 'system-ui, sans-serif',
    themeVariables: {
      darkMode: isDark(colorOf('--surface')),
      background: colorOf('--sunken'),
      primaryColor: colorOf('--accent-soft'),
      primaryTextColor: colorOf('--text'),
      primaryBorderColor: colorOf('--accent'),
      secondaryColor: colorOf('--good-soft'),
      tertiaryColor: colorOf('--surface'),
      lineColor: colorOf('--muted'),
      textColor: colorOf('--text'),
      noteBkgColor: colorOf('--warn-soft'),
      noteTextColor: colorOf('--text'),
      noteBorderColor: colorOf('--warn'),
      edgeLabelBackground: colorOf('--sunken'),
      fontSize: '14px',
      // Flat, as the rest of the page.
      useGradient: false,
      dropShadow: 'none',
    },
  };
  probe.remove();
  return { ...settings, secure: [...Object.keys(settings), 'secure', 'themeCSS', 'dompurifyConfig'] };
}

function isDark(color: string): boolean {
  return Number(/\d+/.exec(color)?.[0] ?? 255) < 128;
}
