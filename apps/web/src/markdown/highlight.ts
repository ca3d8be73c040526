// Colours for code, as tokens: the engine is plain JavaScript, and a language is loaded on first use.
import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
  type LanguageRegistration,
} from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

export type Token = { text: string; color: string | undefined; offset: number };

// More than this would be felt while scrolling, and nobody reads it here.
const longest = 30_000;
const theme = createCssVariablesTheme({ name: 'codelab', variablePrefix: '--shiki-', fontStyle: false });
let highlighter: Promise<HighlighterCore> | undefined;

/** Undefined for a language that is not known, and for texts too long to colour. */
export async function highlight(text: string, language: string): Promise<Token[][] | undefined> {
  const load = Object.hasOwn(languageLoaders, language) ? languageLoaders[language] : undefined;
  if (load === undefined || text.length > longest) return undefined;
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const core = await highlighter;
  const { default: grammar } = await load();
  const name = grammar.at(-1)?.name ?? language;
  if (!core.getLoadedLanguages().includes(name)) await core.loadLanguage(grammar);
  const { tokens } = core.codeToTokens(text, { lang: name, theme: 'codelab', tokenizeMaxLineLength: 2000 });
  return tokens.map((line) => line.map(({ content, color, offset }) => ({ text: content, color, offset })));
}

// The languages that are coloured, by the names people write after a fence; each is a file of its own.
type Load = () => Promise<{ default: LanguageRegistration[] }>;

const typescript: Load = () => import('shiki/langs/typescript.mjs');
const tsx: Load = () => import('shiki/langs/tsx.mjs');
const javascript: Load = () => import('shiki/langs/javascript.mjs');
const python: Load = () => import('shiki/langs/python.mjs');
const shell: Load = () => import('shiki/langs/shellscript.mjs');
const yaml: Load = () => import('shiki/langs/yaml.mjs');
const rust: Load = () => import('shiki/langs/rust.mjs');
const cpp: Load = () => import('shiki/langs/c.mjs');

const languageLoaders: Readonly<Record<string, Load>> = {
  typescript,
  ts: typescript,
  mts: typescript,
  tsx,
  javascript,
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: tsx,
  json: () => import('shiki/langs/json.mjs'),
  jsonc: () => import('shiki/langs/jsonc.mjs'),
  python,
  py: python,
  bash: shell,
  sh: shell,
  shell,
  zsh: shell,
  css: () => import('shiki/langs/css.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  rust,
  rs: rust,
  java: () => import('shiki/langs/java.mjs'),
  c: cpp,
  h: cpp,
  sql: () => import('shiki/langs/sql.mjs'),
  yaml,
  yml: yaml,
  toml: () => import('shiki/langs/toml.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  mermaid: () => import('shiki/langs/mermaid.mjs'),
};
