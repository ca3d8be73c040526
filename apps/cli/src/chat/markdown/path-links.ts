// Paths in an answer (`lib/a.ts:42`) as links to the file (OSC 8), in terminals that are known to show links. Only existing files of the
// workspace become links, and the text of a link is always its path.
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { paintSpans, type TextSpan } from './span.ts';

export type LinkOf = (path: string, line: string | undefined) => string | undefined;

const paths =
  /(?<![\w/.@-])((?:\.{0,2}\/)?(?:[\w@.-]+\/)*[\w@-][\w@.-]*\.[A-Za-z]\w{0,9})(?::(\d+)(?:[-:]\d+)?)?(?![\w/])/g;
const knownPrograms = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'rio', 'Tabby', 'mintty'];
const knownTerms = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot|wezterm|contour)/;

/** Undefined where the terminal is not known to show links. */
export function workspaceLinks(root: string, env: NodeJS.ProcessEnv): LinkOf | undefined {
  if (!showsLinks(env)) return undefined;
  return (path, line) => {
    const file = join(root, path);
    const inside = relative(root, file);
    if (isAbsolute(path) || inside.startsWith('..') || !existsSync(file)) return undefined;
    const url = pathToFileURL(file);
    url.hostname = hostname();
    return `${url.href}${line === undefined ? '' : `#${line}`}`;
  };
}

function showsLinks({
  FORCE_HYPERLINK,
  TERM_PROGRAM = '',
  TERM = '',
  VTE_VERSION = '',
  ...env
}: NodeJS.ProcessEnv): boolean {
  if (FORCE_HYPERLINK !== undefined) return FORCE_HYPERLINK !== '0' && FORCE_HYPERLINK !== 'false';
  return (
    knownPrograms.includes(TERM_PROGRAM) ||
    knownTerms.test(TERM) ||
    Number(VTE_VERSION) >= 5000 ||
    [env.WT_SESSION, env.KITTY_WINDOW_ID, env.KONSOLE_VERSION].some(
      (value) => value !== undefined && value !== '',
    )
  );
}

export function withLinks(spans: readonly TextSpan[], linkOf: LinkOf | undefined): readonly TextSpan[] {
  return linkOf === undefined ? spans : spans.flatMap((span) => linked(span, linkOf));
}

/** A line of plain text with its paths as links. The line must be wrapped already: a link has no width of its own. */
export function linkedText(text: string, linkOf: LinkOf | undefined): string {
  return linkOf === undefined
    ? text
    : paintSpans(linked({ text, formats: [] }, linkOf), (_style, spanText) => spanText);
}

function linked(span: TextSpan, linkOf: LinkOf): TextSpan[] {
  const parts: TextSpan[] = [];
  let at = 0;
  for (const { 0: text, 1: path = '', 2: line, index } of span.text.matchAll(paths)) {
    const link = linkOf(path, line);
    if (link === undefined) continue;
    if (index > at) parts.push({ ...span, text: span.text.slice(at, index) });
    parts.push({ ...span, text, link });
    at = index + text.length;
  }
  if (at < span.text.length || parts.length === 0) parts.push({ ...span, text: span.text.slice(at) });
  return parts;
}
