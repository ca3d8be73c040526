// What errors mean, by their code. The messages themselves are English, so here only the next step has words.
import type { ErrorCode } from '@codelab/protocol';

/** A phrase before the message, empty where the message says it itself; and the next step. */
export type ErrorWords = readonly [what: string, next: string];

/** Codes of the page's own requests, and the short reasons of a turn that failed. */
type OtherCode =
  | 'NETWORK_ERROR'
  | 'HTTP_ERROR'
  | 'NOT_FOUND'
  | 'no_key'
  | 'key'
  | 'quota'
  | 'no_model'
  | 'model'
  | 'connection'
  | 'timeout'
  | 'cut'
  | 'context_length';

/** Of a language whose readers may not read the message. */
export type ErrorTable = Readonly<Record<ErrorCode | OtherCode, ErrorWords>>;

// The build inserts the protocol's table, so that its schemas are not loaded.
declare const __ERROR_HELP__: Readonly<Record<string, ErrorWords>>;

export const enErrors = (): Readonly<Record<string, ErrorWords>> => __ERROR_HELP__;
