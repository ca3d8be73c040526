/** How the lines of a text end; undefined when it has no line ending. */
export function lineEndings(text: string): 'LF' | 'CRLF' | 'CR' | 'mixed' | undefined {
  const kinds = [
    ...(/(?<!\r)\n/.test(text) ? (['LF'] as const) : []),
    ...(text.includes('\r\n') ? (['CRLF'] as const) : []),
    ...(/\r(?!\n)/.test(text) ? (['CR'] as const) : []),
  ];
  return kinds.length > 1 ? 'mixed' : kinds[0];
}
