// Lines out of a stream of bytes, whatever pieces it comes in; a line that does not end in time is refused.

export function splitLines(
  maxBytes: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): (bytes: Buffer) => void {
  let held: Buffer[] = [];
  let size = 0;
  const keep = (bytes: Buffer): boolean => {
    size += bytes.length;
    // The caller uses its buffer again.
    if (size <= maxBytes) held.push(Buffer.from(bytes));
    return size <= maxBytes;
  };
  return (bytes) => {
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      if (!keep(bytes.subarray(start, end))) return onTooLong();
      const line = Buffer.concat(held).toString('utf8').replace(/\r$/, '');
      held = [];
      size = 0;
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (!keep(bytes.subarray(start))) onTooLong();
  };
}
