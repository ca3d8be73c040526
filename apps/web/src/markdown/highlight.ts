// Colours for code, as tokens: the engine is plain JavaScript, and a language is loaded when it first occurs.
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { languageLoaders } from './languages.ts';

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
