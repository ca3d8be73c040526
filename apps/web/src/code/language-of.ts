// The grammar for a file by the end of its name, loaded on first use; undefined means plain text.
import type { LanguageSupport } from '@codemirror/language';

type Language = { name: string; load(): Promise<LanguageSupport> };

const script = (name: string, config: { jsx?: boolean; typescript?: boolean }): Language => ({
  name,
  load: async () => (await import('@codemirror/lang-javascript')).javascript(config),
});
const json: Language = { name: 'JSON', load: async () => (await import('@codemirror/lang-json')).json() };
const css: Language = { name: 'CSS', load: async () => (await import('@codemirror/lang-css')).css() };
const html: Language = { name: 'HTML', load: async () => (await import('@codemirror/lang-html')).html() };
const python: Language = {
  name: 'Python',
  load: async () => (await import('@codemirror/lang-python')).python(),
};
const markdown: Language = {
  name: 'Markdown',
  load: async () => (await import('@codemirror/lang-markdown')).markdown(),
};

const languages: readonly [RegExp, Language][] = [
  [/\.(ts|mts|cts)$/i, script('TypeScript', { typescript: true })],
  [/\.tsx$/i, script('TypeScript JSX', { typescript: true, jsx: true })],
  [/\.(js|mjs|cjs|jsx)$/i, script('JavaScript', { jsx: true })],
  [/\.(json|jsonc|webmanifest|map)$/i, json],
  [/\.(css|scss|less)$/i, css],
  [/\.(html?|xhtml|svg|vue|svelte)$/i, html],
  [/\.(md|mdx|markdown)$/i, markdown],
  [/\.(py|pyi)$/i, python],
];

export function highlightLanguageOf(path: string): Language | undefined {
  return languages.find(([ending]) => ending.test(path))?.[1];
}
