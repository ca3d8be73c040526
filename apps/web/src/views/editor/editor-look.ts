// How the editor looks: the tokens of the page, so that both themes hold without telling it which one is on.
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { syntaxTags } from '../../code/syntax-tags.ts';

const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection':
    { backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--faint)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 45%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--warn-soft)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)', outlineColor: 'var(--accent)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--accent)',
  },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--sunken)',
    border: '1px solid var(--line)',
    color: 'var(--muted)',
  },
  '.cm-specialChar': { color: 'var(--bad)', backgroundColor: 'var(--bad-soft)' },
  '.cm-panels': { backgroundColor: 'var(--canvas)', color: 'var(--text)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-panel.cm-gotoLine': { padding: '6px 28px 6px 8px', fontFamily: 'var(--font-ui)' },
  '.cm-panel label': { fontSize: '0.75rem', display: 'inline-flex', alignItems: 'center', gap: '4px' },
  '.cm-panel label input': { margin: '0' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    padding: '2px 6px',
    fontSize: '0.8125rem',
  },
  '.cm-button': {
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    padding: '2px 8px',
    fontSize: '0.75rem',
  },
  '.cm-button:hover': { backgroundColor: 'var(--hover)' },
  '.cm-button:active': { backgroundImage: 'none', backgroundColor: 'var(--selected)' },
  '.cm-panel button[name=close], .cm-dialog-close': { color: 'var(--muted)', fontSize: '1rem' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    color: 'var(--text)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--text)',
  },
});

const colors = HighlightStyle.define([
  ...syntaxTags.map(({ tag, color, font }) => ({ tag, color: `var(--syntax-${color})`, ...font })),
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--bad)' },
]);

export const editorLook: Extension = [theme, syntaxHighlighting(colors)];
