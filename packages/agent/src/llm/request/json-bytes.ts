// JSON of immutable values, cached: a turn writes only new values and copies the rest.
export type JsonBytes<T extends object> = (value: T) => Buffer;

export function jsonBytes<T extends object>(write: (value: T) => Buffer): JsonBytes<T> {
  const encoded = new WeakMap<T, Buffer>();
  return (value) => {
    let bytes = encoded.get(value);
    if (bytes === undefined) {
      bytes = write(value);
      encoded.set(value, bytes);
    }
    return bytes;
  };
}

/** A provider would refuse or replace half of a surrogate pair. */
export function toJson(value: unknown): Buffer {
  const json = JSON.stringify(value);
  if (!/\\ud[89a-f]/.test(json)) return Buffer.from(json);
  return Buffer.from(
    JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' ? item.toWellFormed() : item)),
  );
}

export function joinJson(parts: readonly Buffer[]): Buffer[] {
  return parts.flatMap((part, i) => (i === 0 ? [part] : [comma, part]));
}

const comma = Buffer.from(',');
