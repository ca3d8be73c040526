// The languages that are coloured, by the names people write after a fence; each is a file of its own.
import type { LanguageRegistration } from 'shiki/core';

type Load = () => Promise<{ default: LanguageRegistration[] }>;

const typescript: Load = () => import('shiki/langs/typescript.mjs');
const tsx: Load = () => import('shiki/langs/tsx.mjs');
const javascript: Load = () => import('shiki/langs/javascript.mjs');
const python: Load = () => import('shiki/langs/python.mjs');
const shell: Load = () => import('shiki/langs/shellscript.mjs');
const yaml: Load = () => import('shiki/langs/yaml.mjs');
const rust: Load = () => import('shiki/langs/rust.mjs');
const cpp: Load = () => import('shiki/langs/c.mjs');

export const languageLoaders: Readonly<Record<string, Load>> = {
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
};
