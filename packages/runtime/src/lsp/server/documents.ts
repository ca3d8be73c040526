// The files that a server has open: the text and version it was last sent. The server is sent the text itself, so an edit counts from the
// next question on, whatever the server watches.
import { statSync } from 'node:fs';
import { linesOf, uriOf } from '../places.ts';
import type { ServerConnection } from './connection.ts';

export type OpenDocument = {
  readonly path: string;
  readonly uri: string;
  version: number;
  text: string;
  /** The text is an editor's unsaved one, not the file's. */
  isUnsaved: boolean;
  /** The print of the file when it was read. */
  print: string;
  /** How many lists of diagnostics had arrived when this version was sent, and whether those of the version before were complete. */
  sentAfter: number;
  wasSettled: boolean;
  /** The version whose diagnostics are complete; 0 for none. */
  settled: number;
};

export type Documents = {
  /** Opens the document, or sends the text if it differs. */
  sync(path: string, languageId: string, current: DocumentText): OpenDocument;
  get(path: string): OpenDocument | undefined;
  all(): OpenDocument[];
  close(path: string): void;
  /** Closes the least recently used documents until `most` are left. */
  trim(limit: number): void;
};

export type DocumentText = {
  text: string;
  isUnsaved: boolean;
  /** The print of the file before this text was read; defaults to the current print. */
  print?: string;
};

export function createDocuments(
  connection: ServerConnection,
  root: string,
  published: () => number,
): Documents {
  // Ordered by last use.
  const open = new Map<string, OpenDocument>();

  function sendText(document: OpenDocument, { text, isUnsaved }: DocumentText): void {
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
    const document = { path, uri, text, isUnsaved, print: filePrint(root, path), ...counts };
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
    sync(path, languageId, current) {
      const openDocument = open.get(path);
      const document = openDocument ?? begin(path, languageId, current);
      if (openDocument !== undefined && openDocument.text !== current.text) sendText(openDocument, current);
      document.isUnsaved = current.isUnsaved;
      document.print = current.print ?? filePrint(root, path);
      open.delete(path);
      open.set(path, document);
      return document;
    },
    get: (path) => open.get(path),
    all: () => [...open.values()],
    close,
    trim(limit) {
      for (const path of [...open.keys()].slice(0, Math.max(0, open.size - limit))) close(path);
    },
  };
}

/** Identifies the content of a file without reading it; empty when the file does not exist. */
export function filePrint(root: string, path: string): string {
  const stat = statSync(`${root}/${path}`, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
}

// The lines of a text are requested many times, so the latest result is cached.
let latest: { text: string; lines: string[] } | undefined;

export function linesIn(text: string): string[] {
  if (latest?.text !== text) latest = { text, lines: linesOf(text) };
  return latest.lines;
}
