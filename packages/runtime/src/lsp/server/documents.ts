// The files that a server has open: what it was told of each, and the version of that. It is told the text itself, so that an edit counts
// from the next question on, whatever the server watches.
import { statSync } from 'node:fs';
import { linesOf, uriOf } from '../places.ts';
import type { ServerConnection } from './connection.ts';

export type OpenDocument = {
  readonly path: string;
  readonly uri: string;
  version: number;
  text: string;
  /** An editor's text, not the file's. */
  isUnsaved: boolean;
  /** What the file was when it was read. */
  print: string;
  /** How many lists of diagnostics had come when this version was sent, and whether those of the version before were complete. */
  sentAfter: number;
  wasSettled: boolean;
  /** The version whose diagnostics are complete; 0 for none. */
  settled: number;
};

export type Documents = {
  /** Opens it, or tells the text when that is another one. */
  sync(path: string, languageId: string, given: DocumentText): OpenDocument;
  get(path: string): OpenDocument | undefined;
  all(): OpenDocument[];
  close(path: string): void;
  /** Closes those that were not asked about for longest, but for the newest `most`. */
  trim(most: number): void;
};

export type DocumentText = {
  text: string;
  isUnsaved: boolean;
  /** What the file was before this text was read; without it, what it is now. */
  print?: string;
};

export function createDocuments(
  connection: ServerConnection,
  root: string,
  published: () => number,
): Documents {
  // In the order they were asked about.
  const open = new Map<string, OpenDocument>();

  function tell(document: OpenDocument, { text, isUnsaved }: DocumentText): void {
    const { uri } = document;
    document.wasSettled = document.settled === document.version;
    document.version++;
    Object.assign(document, { text, isUnsaved, sentAfter: published() });
    connection.notify('textDocument/didChange', {
      textDocument: { uri, version: document.version },
      contentChanges: [{ text }],
    });
  }

  function begin(path: string, languageId: string, { text, isUnsaved }: DocumentText): OpenDocument {
    const uri = uriOf(root, path);
    const counts = { version: 1, sentAfter: published(), wasSettled: true, settled: 0 };
    const document = { path, uri, text, isUnsaved, print: fileVersion(root, path), ...counts };
    connection.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
    return document;
  }

  function close(path: string): void {
    const document = open.get(path);
    if (document === undefined) return;
    open.delete(path);
    connection.notify('textDocument/didClose', { textDocument: { uri: document.uri } });
  }

  return {
    sync(path, languageId, given) {
      const found = open.get(path);
      const document = found ?? begin(path, languageId, given);
      if (found !== undefined && found.text !== given.text) tell(found, given);
      document.isUnsaved = given.isUnsaved;
      document.print = given.print ?? fileVersion(root, path);
      open.delete(path);
      open.set(path, document);
      return document;
    },
    get: (path) => open.get(path),
    all: () => [...open.values()],
    close,
    trim(most) {
      for (const path of [...open.keys()].slice(0, Math.max(0, open.size - most))) close(path);
    },
  };
}

/** What tells one content of a file from another without reading it; empty when there is none. */
export function fileVersion(root: string, path: string): string {
  const stat = statSync(`${root}/${path}`, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

// A text is asked for its lines many times: the latest ones are kept.
let latest: { text: string; lines: string[] } | undefined;

export function linesIn(text: string): string[] {
  if (latest?.text !== text) latest = { text, lines: linesOf(text) };
  return latest.lines;
}
