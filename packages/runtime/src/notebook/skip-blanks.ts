/** The next place that is none of the four blanks JSON knows. */
export function skipBlanks(source: string, start: number): number {
  let at = start;
  for (;;) {
    const unit = source.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at++;
  }
}
