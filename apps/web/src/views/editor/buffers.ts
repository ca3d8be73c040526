// The text of every open file in the editor's own terms. It outlives its tab, so switching tabs loses nothing.
import { indentWithTab } from '@codemirror/commands';
import { search } from '@codemirror/search';
import { Compartment, EditorState, type Text, type TransactionSpec } from '@codemirror/state';
import { EditorView, highlightSpecialChars, keymap } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import { highlightLanguageOf } from '../../code/language-of.ts';
import { cspNonce } from '../../csp-nonce.ts';
import { currentViewText } from '../../text/use-text.ts';
import { setDirty } from './dirty-store.ts';
import { editorLook } from './editor-look.ts';
import { editorText, editsField, noEdits, setEdits } from './exact-text.ts';

type Buffer = {
  state: EditorState;
  view: EditorView | undefined;
  /** The text on the disk, as the editor shows it. */
  clean: Text;
  language: Compartment;
};

const buffers = new Map<string, Buffer>();

export function openBuffer(path: string, text: string, isReadOnly: boolean): void {
  const known = buffers.get(path);
  if (known !== undefined) {
    replaceText(path, text);
    return;
  }
  const language = new Compartment();
  const { editor } = currentViewText();
  const state = EditorState.create({
    doc: text,
    extensions: [
      basicSetup,
      search({ top: true }),
      keymap.of([indentWithTab]),
      highlightSpecialChars({ addSpecialChars: /[\u202a-\u202c\u2060-\u2064\u2068]/g }),
      editorLook,
      editsField,
      language.of([]),
      EditorView.cspNonce.of(cspNonce()),
      EditorView.contentAttributes.of({ 'aria-label': editor.content(path), tabindex: '0' }),
      EditorState.phrases.of(editor.phrases),
      EditorState.readOnly.of(isReadOnly),
      EditorView.updateListener.of(({ state: now, docChanged, transactions }) => {
        const buffer = buffers.get(path);
        if (buffer === undefined) return;
        buffer.state = now;
        if (docChanged || transactions.some(({ effects }) => effects.length > 0)) tellDirty(path, buffer);
      }),
    ],
  });
  buffers.set(path, { state, view: undefined, clean: state.doc, language });
  void loadLanguage(path, language);
}

export function dropBuffer(path: string): void {
  buffers.delete(path);
}

export function stateOf(path: string): EditorState | undefined {
  return buffers.get(path)?.state;
}

export function viewOf(path: string): EditorView | undefined {
  return buffers.get(path)?.view;
}

/** Whether a tab shows it or not. */
export function dispatchToBuffer(path: string, spec: TransactionSpec): void {
  const buffer = buffers.get(path);
  if (buffer === undefined) return;
  if (buffer.view !== undefined) buffer.view.dispatch(spec);
  else buffer.state = buffer.state.update(spec).state;
  tellDirty(path, buffer);
}

/** The disk holds this text from now on. */
export function setClean(path: string, clean: Text): void {
  const buffer = buffers.get(path);
  if (buffer === undefined) return;
  buffer.clean = clean;
  tellDirty(path, buffer);
}

export function isDirty(path: string): boolean {
  const buffer = buffers.get(path);
  return buffer !== undefined && !buffer.state.doc.eq(buffer.clean);
}

/** Shows another text as the one on the disk; the caret stays where the text around it stays. */
export function replaceText(path: string, text: string): void {
  const buffer = buffers.get(path);
  if (buffer === undefined) return;
  const changes = difference(buffer.state.doc.toString(), editorText(text));
  dispatchToBuffer(path, { ...(changes && { changes }) });
  dispatchToBuffer(path, { effects: setEdits.of(noEdits(buffer.state)) });
  setClean(path, buffer.state.doc);
}

/** Returns how to take it off the screen again. */
export function mountBuffer(path: string, parent: HTMLElement): () => void {
  const buffer = buffers.get(path);
  if (buffer === undefined) return () => undefined;
  const view = new EditorView({ state: buffer.state, parent });
  buffer.view = view;
  return () => {
    buffer.state = view.state;
    buffer.view = undefined;
    view.destroy();
  };
}

/** Puts the caret at a line and column, both from 1, and brings it into view. A position behind the end of a line or of the text is its end. */
export function showPosition(path: string, { line, column }: { line: number; column: number }): void {
  const view = buffers.get(path)?.view;
  if (view === undefined) return;
  const { from, to } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines));
  const caret = Math.min(from + Math.max(1, column) - 1, to);
  view.dispatch({ selection: { anchor: caret }, effects: EditorView.scrollIntoView(caret, { y: 'center' }) });
  view.focus();
}

function tellDirty(path: string, { state, clean }: Buffer): void {
  setDirty(path, !state.doc.eq(clean));
}

async function loadLanguage(path: string, language: Compartment): Promise<void> {
  try {
    const grammar = await highlightLanguageOf(path)?.load();
    if (grammar !== undefined) dispatchToBuffer(path, { effects: language.reconfigure(grammar) });
  } catch {
    // A text without colours is still a text.
  }
}

function difference(before: string, after: string): { from: number; to: number; insert: string } | undefined {
  if (before === after) return undefined;
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}
