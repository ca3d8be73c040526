/** A range of a text, in UTF-16 units, and what takes its place; half-open. Either may be empty. */
export type Span = { start: number; end: number; replacement: string };
