// Lines from text that arrives in pieces: ended by LF, CR LF or CR, wherever the pieces are cut. A mark at the very beginning is dropped.
export type LineReader = {
  push(text: string): void;
  /** Gives the last line, if it has no end. */
  end(): void;
};

export function lineReader(onLine: (line: string) => void): LineReader {
  let isFirst = true;
  let endedInCr = false;
  /** Pieces of the line that has not ended: joined once, however many there are. */
  let begun: string[] = [];

  function endLine(rest: string): void {
    const line = begun.length === 0 ? rest : begun.join('') + rest;
    begun = [];
    onLine(line);
  }

  return {
    push(text) {
      if (text === '') return;
      const isMarked = isFirst && text.startsWith('\ufeff');
      let from = isMarked || (endedInCr && text.startsWith('\n')) ? 1 : 0;
      isFirst = false;
      endedInCr = false;
      let cr = text.indexOf('\r', from);
      for (;;) {
        if (cr !== -1 && cr < from) cr = text.indexOf('\r', from);
        const lf = text.indexOf('\n', from);
        const end = lf === -1 || (cr !== -1 && cr < lf) ? cr : lf;
        if (end === -1) break;
        endLine(text.slice(from, end));
        from = end + 1;
        if (end !== cr) continue;
        endedInCr = from === text.length;
        if (text.charCodeAt(from) === 0x0a) from++;
      }
      if (from < text.length) begun.push(text.slice(from));
    },
    end() {
      if (begun.length > 0) endLine('');
    },
  };
}
